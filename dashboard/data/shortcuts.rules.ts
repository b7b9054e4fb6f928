/** The part of a keyboard event that decides which shortcut it is. */
export type KeyPress = {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
  /** AltGr, with which many layouts type `[`, `@` or `#`; browsers report it as Ctrl and Alt too. */
  isAltGraph: boolean
}

const namedKeys: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
  Esc: 'escape',
}

/**
 * The name of a key press: `c`, `?`, `shift+c`, `enter`, `shift+left`, `mod+k` (Ctrl, on a Mac ⌘). The
 * character counts, not the place on the keyboard, so `/` is `/` on a Spanish layout too. Undefined for
 * combinations that belong to the browser or the system.
 */
export function keyNameOf(press: KeyPress, isMac: boolean): string | undefined {
  const { key, shiftKey, ctrlKey, altKey, metaKey, isAltGraph } = press
  const name = namedKeys[key] ?? key.toLowerCase()
  const isCharacter = name.length === 1
  const isLetter = isCharacter && name !== name.toUpperCase()
  // of a sign, Shift is part of the way to type it
  const withShift = shiftKey && (isLetter || !isCharacter) ? `shift+${name}` : name
  if (isAltGraph) return isCharacter ? name : undefined
  const mod = isMac ? metaKey : ctrlKey
  const other = isMac ? ctrlKey : metaKey
  if (other || altKey) return undefined
  return mod ? `mod+${withShift}` : withShift
}

/** Whether a shortcut is typed with a character alone, so that people can switch it off (WCAG 2.1.4). */
export function isSingleKey(shortcut: string): boolean {
  return (
    !shortcut.startsWith('mod+') && shortcut.split(' ').some(key => key.replace('shift+', '').length === 1)
  )
}

/** How long the second key of a sequence such as `g h` may take. */
const sequenceMs = 1_500

/**
 * Recognizes shortcuts, also sequences, in a row of key presses. `next` returns the shortcut that a key
 * completes, `pending` while a sequence has begun, and undefined for every other key.
 */
export function createSequence() {
  let first: { key: string; at: number } | undefined
  return {
    next(key: string, at: number, shortcuts: ReadonlySet<string>): string | 'pending' | undefined {
      const started = first && at - first.at <= sequenceMs ? `${first.key} ${key}` : undefined
      first = undefined
      if (started !== undefined && shortcuts.has(started)) return started
      if ([...shortcuts].some(shortcut => shortcut.startsWith(`${key} `))) {
        first = { key, at }
        return 'pending'
      }
      return shortcuts.has(key) ? key : undefined
    },
    reset(): void {
      first = undefined
    },
  }
}
