import { useEffect, useRef } from 'react'
import type { IconName } from '../parts/icon.tsx'
import { createStore, useStore } from '../parts/store.ts'

/** An entry of the palette. */
export type Command = {
  /** Stays the same from day to day: the palette remembers what was used last. */
  id: string
  label: string
  /** More words to find it by, for instance its label in the other language. */
  keywords?: string
  hint?: string
  icon?: IconName
  shortcut?: string
} & ({ href: string } | { action: () => void })

const lists = createStore<readonly (readonly Command[])[]>([])
let awaited: { id: string; pathname: string } | undefined

/** Starts an action of the screen at this path, once the screen is there and has added it under this id. */
export function startWhenShown(id: string, pathname: string): void {
  awaited = { id, pathname }
}

function startAwaited(list: readonly Command[]): void {
  const command = awaited?.pathname === location.pathname && list.find(({ id }) => id === awaited?.id)
  if (!command) return
  awaited = undefined
  act(command)
}

/** Adds the actions of a screen to the palette while the screen is shown. */
export function useCommands(commands: readonly Command[]): void {
  const current = useRef(commands)
  current.current = commands
  // the commands are new objects each time: listed anew only when one looks different
  const shown = JSON.stringify(commands)
  useEffect(() => {
    const list = (JSON.parse(shown) as Command[]).map((command, at) =>
      'href' in command ? command : { ...command, action: () => act(current.current[at]) },
    )
    lists.set([...lists.get(), list])
    startAwaited(list)
    return () => lists.set(lists.get().filter(other => other !== list))
  }, [shown])
}

function act(command: Command | undefined): void {
  if (command && 'action' in command) command.action()
}

/** The actions of the screens that are shown. */
export function useScreenCommands(): readonly Command[] {
  return useStore(lists).flat()
}
