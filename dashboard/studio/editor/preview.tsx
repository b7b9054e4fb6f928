import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import { partsOf } from './whole-text.rules.ts'

/** A longer text is drawn when the person says so, not after each pause in typing. */
const mostFollowed = 20_000

/** The body as people read it. */
export function Preview({ text: whole }: { text: string }) {
  const text = useWords(editorTexts)
  const body = partsOf(whole)?.bodyMarkdown ?? whole
  const [shown, setShown] = useState(body)
  const isLong = body.length > mostFollowed
  const drawn = isLong ? shown : body
  return (
    <div className={styles.previewPane}>
      <header className={styles.previewHead}>
        <h2 className={styles.saveTitle}>{text.preview}</h2>
      </header>
      <ScrollRegion label={text.preview}>
        <div className={styles.preview}>
          {isLong && drawn !== body && (
            <Notice>
              <p>{text.stalePreview}</p>
              <Button size="small" onPress={() => setShown(body)}>
                {text.updatePreview}
              </Button>
            </Notice>
          )}
          <Markdown text={drawn} />
        </div>
      </ScrollRegion>
    </div>
  )
}
