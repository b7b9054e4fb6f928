import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'
import { createStore, useStore } from './store.ts'

/** The number of things that wait for the person, such as unread messages. The title of the tab begins with it. */
export const waitingCount = createStore(0)

export type PageProps = {
  title: string
  /** Stands before the title: the way back to a list, on a phone. */
  before?: ReactNode
  /** Follows the title in the same line: views, a count, a sentence. */
  beside?: ReactNode
  /** The actions of the screen; the primary one last. */
  actions?: ReactNode
  /** Lines below the head: tabs, filters. */
  below?: ReactNode
  /** `text`: the content has a margin and a readable width. `full`: it has neither, as in lists. */
  width?: 'text' | 'full'
  children: ReactNode
}

/** A screen: its head with one heading, and its content. Focus goes to the heading after navigation. */
export function Page({ title, before, beside, actions, below, width = 'text', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const waiting = useStore(waitingCount)
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''}${title} · Patio`
  }, [title, waiting])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {before}
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {beside}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {below}
      <div className={`${styles.content} ${styles[width]}`}>{children}</div>
    </div>
  )
}

/** A part of a page with its own heading. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.section}>
      <header className={styles.sectionHead}>
        <div>
          <h2 className={styles.sectionTitle}>{title}</h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
