import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { IconName } from '../parts/icon.tsx'

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

let lists: readonly (readonly Command[])[] = []
let all: readonly Command[] = []
const listeners = new Set<() => void>()

/** Adds the actions of a screen to the palette while the screen is shown. */
export function useCommands(commands: readonly Command[]): void {
  const current = useRef(commands)
  current.current = commands
  const shown = commands.map(({ id, label }) => `${id} ${label}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown stands for the commands, which are new objects each time
  useEffect(() => {
    const list = current.current
    update([...lists, list])
    return () => update(lists.filter(other => other !== list))
  }, [shown])
}

/** The actions of the screens that are shown. */
export function useScreenCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => all)
}

function update(next: readonly (readonly Command[])[]): void {
  lists = next
  all = next.flat()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
