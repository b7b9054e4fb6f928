import { useLanguage } from '../words/words.ts'
import { boardChapters } from './board.tsx'
import styles from './book.module.css'
import type { Chapter } from './chapter.tsx'
import { controlChapters } from './controls.tsx'
import { fieldChapters } from './fields.tsx'
import { gridChapters } from './grid.tsx'
import { listChapters } from './lists.tsx'
import { stateChapters } from './states.tsx'
import { textChapters } from './texts.tsx'
import { valueChapters } from './values.tsx'

const chapters: readonly Chapter[] = [
  ...gridChapters,
  ...listChapters,
  ...boardChapters,
  ...valueChapters,
  ...controlChapters,
  ...fieldChapters,
  ...stateChapters,
  ...textChapters,
]

/** Every part of the screens in every state, or the one that the address names. */
export function Book({ part }: { part: string | null }) {
  const isSpanish = useLanguage() === 'es'
  const shown = chapters.filter(({ id }) => part === null || id === part)
  return (
    <div className={styles.book}>
      <nav className={styles.side} aria-label={isSpanish ? 'Piezas' : 'Parts'}>
        <a
          href={addressOf(null)}
          className={styles.link}
          {...(part === null && { 'aria-current': 'page' as const })}
        >
          {isSpanish ? 'Todas' : 'All'}
        </a>
        {chapters.map(({ id, title }) => (
          <a
            key={id}
            href={addressOf(id)}
            className={styles.link}
            {...(part === id && { 'aria-current': 'page' as const })}
          >
            {title}
          </a>
        ))}
      </nav>
      <main className={styles.main}>
        <h1 className={styles.heading}>{isSpanish ? 'El libro de las piezas' : 'The book of parts'}</h1>
        {shown.map(({ id, title, Content }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} className={styles.chapter}>
            <h2 id={`${id}-title`} className={styles.title}>
              {title}
            </h2>
            <Content />
          </section>
        ))}
      </main>
    </div>
  )
}

function addressOf(part: string | null): string {
  const address = new URL(location.href)
  if (part === null) address.searchParams.delete('part')
  else address.searchParams.set('part', part)
  return `${address.pathname}${address.search}`
}
