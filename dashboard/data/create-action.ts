import { useCommands } from './commands.ts'
import { useShortcuts } from './shortcuts.ts'

/**
 * The action of a screen that makes something new, if the person may: in the palette under this id, and with the
 * key `c`. `title` names the screen in the list of keys.
 */
export function useCreateAction(
  id: string,
  label: string,
  title: string,
  action: (() => void) | false | undefined,
): void {
  useCommands(action ? [{ id, label, icon: 'plus', shortcut: 'c', action }] : [])
  useShortcuts({ c: action ? { label, action } : undefined }, title)
}
