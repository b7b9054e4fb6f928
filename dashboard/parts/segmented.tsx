import { Link } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import styles from './segmented.module.css'

export type Segment = { id: string; label: string; icon: IconName; href: string }

/** Links to the views of one list, such as table and board. Icons stand for their labels. */
export function Segmented({
  label,
  segments,
  current,
}: {
  /** Names the group for screen readers: “View”. */
  label: string
  segments: readonly Segment[]
  current: string
}) {
  return (
    <nav aria-label={label} className={styles.group}>
      {segments.map(({ id, label: name, icon, href }) => (
        <Link
          key={id}
          href={href}
          aria-label={name}
          className={styles.segment}
          {...(id === current && { 'aria-current': 'page' as const })}
        >
          <Icon name={icon} />
        </Link>
      ))}
    </nav>
  )
}
