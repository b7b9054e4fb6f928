import { Icon } from '../parts/icon.tsx'
import { initialsOf } from '../parts/person.tsx'
import styles from './sidebar.module.css'

/** The content of the button of the organizations. */
export function OrganizationLabel({ name }: { name: string }) {
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
export function PersonLabel({ name }: { name: string }) {
  return (
    <>
      <span className={styles.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className={styles.word}>{name}</span>
    </>
  )
}
