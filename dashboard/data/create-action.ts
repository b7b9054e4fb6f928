import { useCommands } from './commands.ts'
import { type Shortcuts, useShortcuts } from './shortcuts.ts'

/**
 * The action of a screen that makes something new, if the person may: in the palette under this id, and with the
 * key `c`. `title` names the screen in the list of keys, which has the other keys of the screen beside it.
 */
export function useCreateAction(
  id: string,
  label: string,
  title: string,
  action: (() => void) | false | undefined,
  otherKeys: Shortcuts = {},
): void {
  useCommands(action ? [{ id, label, icon: 'plus', shortcut: 'c', action }] : [])
  useShortcuts({ c: action ? { label, action } : undefined, ...otherKeys }, title)
}
