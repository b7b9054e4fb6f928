/** The effect of a key in a grid: a number of rows to move, or an action. */
export type GridCommand =
  | { kind: 'move'; rows: number }
  | { kind: 'first' | 'last' | 'open' | 'openPage' | 'select' | 'selectAll' | 'next' | 'previous' | 'menu' }

/** The keys of the APG grid pattern, and the letters of the dashboard. */
const commands: Readonly<Record<string, GridCommand>> = {
  ArrowDown: { kind: 'move', rows: 1 },
  ArrowUp: { kind: 'move', rows: -1 },
  PageDown: { kind: 'move', rows: 12 },
  PageUp: { kind: 'move', rows: -12 },
  Home: { kind: 'first' },
  End: { kind: 'last' },
  ArrowRight: { kind: 'next' },
  ArrowLeft: { kind: 'previous' },
  Enter: { kind: 'open' },
  ' ': { kind: 'select' },
  ContextMenu: { kind: 'menu' },
}
const letters: Readonly<Record<string, GridCommand>> = {
  j: { kind: 'move', rows: 1 },
  k: { kind: 'move', rows: -1 },
  o: { kind: 'openPage' },
  x: { kind: 'select' },
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The command of a key, or undefined if the grid does not use it. Letters can be switched off. */
export function commandOf(event: PressedKey, areLettersOn: boolean): GridCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey) return undefined
  if (ctrlKey || metaKey) return key === 'a' ? { kind: 'selectAll' } : undefined
  if (key === 'F10' && shiftKey) return { kind: 'menu' }
  return commands[key] ?? (areLettersOn ? letters[key.toLowerCase()] : undefined)
}
