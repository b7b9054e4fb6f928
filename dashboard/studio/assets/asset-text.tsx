import type { ReactNode } from 'react'
import { Code } from '../../parts/code.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Empty } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import type { Asset } from './asset.ts'
import { assetPageTexts } from './asset-page.words.ts'
import styles from './assets.module.css'

/** The text of an asset or of one of its versions, as people read it, below its front matter. */
export function AssetText({
  content: { bodyMarkdown, frontmatterText },
  action,
}: {
  content: Pick<Asset, 'bodyMarkdown' | 'frontmatterText'>
  /** Offered where there is no text. */
  action?: ReactNode
}) {
  const text = useWords(assetPageTexts)
  return (
    <div className={styles.stack}>
      {frontmatterText.trim() !== '' && (
        <Code text={frontmatterText.trimEnd()} label={text.frontMatter} isWrapped />
      )}
      {bodyMarkdown.trim() === '' ? (
        <Empty title={text.noText} action={action}>
          {text.noTextAbout}
        </Empty>
      ) : (
        <Markdown text={bodyMarkdown} />
      )}
    </div>
  )
}
