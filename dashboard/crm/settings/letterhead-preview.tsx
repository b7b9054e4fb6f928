import type { Letterhead } from '#contract/crm/letterhead.ts'
import { useWords } from '../../words/words.ts'
import styles from './letterhead.module.css'
import { fieldsOf, type LetterheadTexts } from './letterhead.rules.ts'
import { letterheadTexts } from './letterhead.words.ts'
import { LogoPicture } from './letterhead-logo.tsx'

/** The colour of documents without an accent colour. */
export const standardColor = '#1f3a5f'

/** The share of each line of the sample, in percent. */
const sampleLines = [
  { name: 52, amount: 14 },
  { name: 38, amount: 11 },
  { name: 61, amount: 14 },
]

/** A small page that shows where documents have the letterhead. Its words are Spanish, as those of documents. */
export function LetterheadPreview({
  sender,
  letterhead,
  logo,
}: {
  sender: string
  letterhead: LetterheadTexts
  logo: Letterhead['logo']
}) {
  const text = useWords(letterheadTexts)
  const { accentColor, accountHolder, iban, bic, footer } = fieldsOf(letterhead)
  const color = accentColor ?? standardColor
  return (
    <figure className={styles.preview}>
      <figcaption className={styles.label}>{text.preview}</figcaption>
      <div className={styles.paper} lang="es">
        <div className={styles.head}>
          {logo ? <LogoPicture logo={logo} alt={sender} /> : <strong>{sender}</strong>}
          <span className={styles.number}>
            Factura
            <strong style={{ color }}>F-0001</strong>
          </span>
        </div>
        <svg className={styles.sample} aria-hidden="true">
          <rect width="100%" height="2" fill={color} />
          {sampleLines.map(({ name, amount }, at) => (
            <g key={name} fill="#d9d9d9">
              <rect y={18 + 18 * at} width={`${name}%`} height="6" />
              <rect x={`${100 - amount}%`} y={18 + 18 * at} width={`${amount}%`} height="6" />
            </g>
          ))}
          <rect x="60%" y="72" width="40%" height="2" fill={color} />
        </svg>
        {iban !== null && (
          <div>
            <strong style={{ color }}>Pago por transferencia</strong>
            <div>{accountHolder ?? sender}</div>
            <div>{iban}</div>
            {bic !== null && <div>{bic}</div>}
          </div>
        )}
        <div className={styles.footer}>
          {footer !== null && <div className={styles.lines}>{footer}</div>}
          Página 1 de 1
        </div>
      </div>
    </figure>
  )
}
