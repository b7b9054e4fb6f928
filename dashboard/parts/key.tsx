import styles from './key.module.css'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const signs: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl ',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  up: '↑',
  down: '↓',
}

/** A key or a combination (`c`, `g l`, `mod+k`) as a person sees it on the keyboard. */
export function Key({ name }: { name: string }) {
  return (
    <kbd className={styles.key}>
      {name
        .split('+')
        .map(part => signs[part] ?? (part.length === 1 && name.includes('+') ? part.toUpperCase() : part))
        .join('')}
    </kbd>
  )
}
