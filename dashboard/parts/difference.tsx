import { useWords, words } from '../words/words.ts'
import styles from './difference.module.css'
import { type DifferenceHunk, linesOf } from './difference-lines.ts'
import { Spoken } from './spoken.tsx'
import { Notice } from './states.tsx'

const texts = words({
  es: {
    added: 'añadida',
    removed: 'quitada',
    same: 'No cambia nada',
    incomplete:
      'Hay demasiados cambios para compararlos línea a línea: lo de en medio aparece quitado y añadido entero.',
    before: 'Antes',
    after: 'Después',
    sign: 'Cambio',
    text: 'Texto',
  },
  en: {
    added: 'added',
    removed: 'removed',
    same: 'Nothing changes',
    incomplete:
      'There are too many changes to compare line by line: everything between appears as removed and added.',
    before: 'Before',
    after: 'After',
    sign: 'Change',
    text: 'Text',
  },
})

export type DifferenceProps = {
  label: string
  /** The server's comparison of two texts; null: they are equal. */
  difference: { added: number; removed: number; isComplete: boolean; hunks: readonly DifferenceHunk[] } | null
}

/** The lines that differ between two texts, as the server compared them. */
export function Difference({ label, difference }: DifferenceProps) {
  const text = useWords(texts)
  if (!difference || difference.hunks.length === 0) return <p className={styles.nothing}>{text.same}</p>
  return (
    <div className={styles.difference}>
      {!difference.isComplete && <Notice kind="warn">{text.incomplete}</Notice>}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
        <table className={styles.table}>
          <thead>
            <tr className={styles.titles}>
              <th scope="col">{text.before}</th>
              <th scope="col">{text.after}</th>
              <th scope="col">{text.sign}</th>
              <th scope="col">{text.text}</th>
            </tr>
          </thead>
          {difference.hunks.map(hunk => (
            <tbody key={`${hunk.fromLine} ${hunk.toLine}`} className={styles.hunk}>
              {linesOf(hunk).map(line => (
                <tr key={`${line.kind} ${line.from} ${line.to}`} className={styles[line.kind]}>
                  <td className={styles.number}>{line.from}</td>
                  <td className={styles.number}>{line.to}</td>
                  <td className={styles.sign}>
                    {line.kind !== 'same' && (
                      <>
                        <span aria-hidden="true">{line.kind === 'added' ? '+' : '−'}</span>
                        <Spoken>{text[line.kind]}</Spoken>
                      </>
                    )}
                  </td>
                  <td className={styles.text}>{line.text}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </div>
  )
}

/** The numbers of added and removed lines: “+3 −1”. */
export function DifferenceCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={styles.count}>
      <span className={styles.plus}>+{added}</span> <span className={styles.minus}>−{removed}</span>
    </span>
  )
}
