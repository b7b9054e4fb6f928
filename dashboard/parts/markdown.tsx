import { lazy, Suspense } from 'react'
import styles from './markdown.module.css'
import { MarkdownSource } from './markdown-source.tsx'

const ShortMarkdown = lazy(() => import('./short-markdown.tsx'))
const LongMarkdown = lazy(() => import('./long-markdown.tsx'))

/** A longer text is read in a worker. */
const mostShortCharacters = 20_000
/** A longer text is shown as its source. */
const mostCharacters = 500_000

/**
 * Markdown of people and applications, drawn without HTML strings: raw HTML is text, links go only to https, http,
 * mailto and own paths, images of other hosts are links (DSH-17). Its source is shown until it is read.
 */
export function Markdown({ text }: { text: string }) {
  const Content = text.length > mostShortCharacters ? LongMarkdown : ShortMarkdown
  return (
    <div className={styles.markdown}>
      {text.length > mostCharacters ? (
        <MarkdownSource text={text} />
      ) : (
        <Suspense fallback={<MarkdownSource text={text} isBusy />}>
          <Content text={text} />
        </Suspense>
      )}
    </div>
  )
}
