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
