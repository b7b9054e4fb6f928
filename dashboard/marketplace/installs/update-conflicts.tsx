import type { InstallUpdate } from '#contract/marketplace/installs.ts'
import { textNodes } from '../../parts/markdown-node.ts'
import { MarkdownNodes } from '../../parts/markdown-nodes.tsx'
import { useWords } from '../../words/words.ts'
import { installTexts } from './install.words.ts'
import styles from './installs.module.css'

type Conflict = InstallUpdate['conflicts'][number]

/** The places that changed on both sides: as installed, as they are in the copy, as they are in the new version. */
export function UpdateConflicts({ conflicts }: { conflicts: readonly Conflict[] }) {
  const text = useWords(installTexts)
  return (
    <ol className={styles.conflicts}>
      {conflicts.map((conflict, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two places of one text have the same path
        <li key={at} className={styles.conflict}>
          <h3 className={styles.conflictTitle}>{placeOf(conflict.path, text)}</h3>
          <div className={styles.sides}>
            {(['mine', 'base', 'theirs'] as const).map(side => (
              <figure key={side} className={styles[side]}>
                <figcaption className={styles.side}>{text[side]}</figcaption>
                <SideText
                  value={conflict[side === 'mine' ? 'yours' : side]}
                  isFile={conflict.path.startsWith('files/')}
                />
              </figure>
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}

function SideText({ value, isFile }: { value: string | null; isFile: boolean }) {
  const text = useWords(installTexts)
  if (value === null) return <p className={styles.quiet}>{text.absent}</p>
  if (isFile) return <p className={styles.quiet}>{text.digestOf(`${value.slice(0, 8)}…`)}</p>
  return (
    <pre className={styles.text}>
      <MarkdownNodes nodes={textNodes(value)} />
    </pre>
  )
}

/** A place in words: “Front matter: tools”. */
function placeOf(path: string, text: (typeof installTexts)['en']): string {
  if (path.startsWith('files/')) return text.file(path.slice('files/'.length))
  if (path.startsWith('frontmatter.')) return text.frontmatter(path.slice('frontmatter.'.length))
  return text[path as 'name' | 'description' | 'bodyMarkdown'] ?? path
}
