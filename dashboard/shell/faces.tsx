import { Icon } from '../parts/icon.tsx'
import styles from './sidebar.module.css'

/** The content of the button of the organizations. */
export function OrganizationFace({ name }: { name: string }) {
  return (
    <>
      <span className={styles.mark} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles.word}>{name}</span>
      <Icon name="chevronDown" className={styles.chevron} />
    </>
  )
}

/** The content of the button of the person. */
export function PersonFace({ name }: { name: string }) {
  return (
    <>
      <span className={styles.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className={styles.word}>{name}</span>
    </>
  )
}

function initialsOf(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean)
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .map(part => part?.slice(0, 1).toUpperCase() ?? '')
    .join('')
}
