import type { ReactNode } from 'react'
import { usePreferences } from '../data/preferences.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import styles from './access-frame.module.css'
import { Plan } from './plan.tsx'

const texts = words({
  es: { skip: 'Saltar al contenido', other: 'English' },
  en: { skip: 'Skip to content', other: 'Español' },
})

/** The frame of the pages of people who are not signed in: the form on one side, the plan of a patio beside it. */
export function AccessFrame({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  const { other } = useWords(texts)
  const language = useLanguage()
  const { change } = usePreferences()
  return (
    <div className={styles.frame}>
      <title>{`${title} · Patio`}</title>
      <main className={styles.side}>
        <p className={styles.name}>
          <svg
            viewBox="0 0 20 20"
            width="20"
            height="20"
            aria-hidden="true"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
          >
            <path d="M2.75 2.75h14.5v14.5H2.75z" />
            <path d="M7 7h6v6H7z" className={styles.core} />
          </svg>
          Patio
        </p>
        <div className={styles.form}>
          <h1 className={styles.title}>{title}</h1>
          {about && <p className={styles.about}>{about}</p>}
          {children}
        </div>
        <p className={styles.foot}>
          <span className={styles.host}>
            <Icon name="lock" /> {location.host}
          </span>
          <Button
            kind="quiet"
            size="small"
            onPress={() => change({ language: language === 'es' ? 'en' : 'es' })}
          >
            <span lang={language === 'es' ? 'en' : 'es'}>{other}</span>
          </Button>
        </p>
      </main>
      <figure className={styles.plan} aria-hidden="true">
        <Plan />
      </figure>
    </div>
  )
}
