import styles from './person.module.css'

export type PersonProps = {
  name: string
  /** The initials of people are in a circle, those of applications and agents in a square. */
  kind?: 'person' | 'application'
  size?: 'usual' | 'large'
  /** Shows only the initials, where the name is already beside them. */
  isNameHidden?: boolean
  /** Follows the name: a role, an address. */
  about?: string
}

/** A person or an application: initials and name. */
export function Person({ name, kind = 'person', size = 'usual', isNameHidden = false, about }: PersonProps) {
  return (
    <span className={styles.person}>
      <span className={`${styles.initials} ${styles[kind] ?? ''} ${styles[size] ?? ''}`} aria-hidden="true">
        {initialsOf(name)}
      </span>
      {!isNameHidden && (
        <span className={styles.name}>
          {name}
          {about && <span className={styles.about}> {about}</span>}
        </span>
      )}
    </span>
  )
}

/** The first letters of the first and the last word: “Ana Belén Soto” is AS. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    word => [...(word ?? '')][0] ?? '',
  )
  return letters.join('').toUpperCase() || '?'
}
