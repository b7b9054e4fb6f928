import { lazy, Suspense } from 'react'
import styles from './markdown.module.css'

const MarkdownContent = lazy(() => import('./markdown-content.tsx'))

/**
 * Markdown of people and applications, drawn without HTML strings: raw HTML is text, links go only to https, http,
 * mailto and own paths, images of other servers are not loaded. Until its code is there, the source is shown.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      <Suspense fallback={<pre className={styles.source}>{text}</pre>}>
        <MarkdownContent text={text} />
      </Suspense>
    </div>
  )
}
