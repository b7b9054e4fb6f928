import { Label, Radio, RadioGroup } from 'react-aria-components'
import { useLanguage, useWords, words } from '../words/words.ts'
import fieldStyles from './field.module.css'
import { Icon } from './icon.tsx'
import { decimalText } from './number-text.ts'
import { Spoken } from './spoken.tsx'
import styles from './stars.module.css'

const texts = words({
  es: {
    of: (rating: string) => `${rating} de 5 estrellas`,
    star: (rating: number) => (rating === 1 ? '1 estrella' : `${rating} estrellas`),
  },
  en: {
    of: (rating: string) => `${rating} of 5 stars`,
    star: (rating: number) => (rating === 1 ? '1 star' : `${rating} stars`),
  },
})
const most = 5

/** The stars of one rating. */
export function Stars({ rating }: { rating: number }) {
  const { of } = useWords(texts)
  return (
    <span className={styles.stars}>
      <Spoken>{of(String(rating))}</Spoken>
      {Array.from({ length: most }, (_, at) => at + 1).map(star => (
        <Icon key={star} name={star <= rating ? 'starFull' : 'star'} className={styles.star} />
      ))}
    </span>
  )
}

/** An average of ratings, with their number: “★ 4.5 (12)”. A dash without ratings. */
export function Rating({ average, count }: { average: number | null; count: number }) {
  const { of } = useWords(texts)
  const language = useLanguage()
  if (average === null) return <span className={styles.none}>–</span>
  const shown = decimalText(average, 2, language)
  return (
    <span className={styles.rating}>
      <Icon name="starFull" className={styles.star} />
      <span aria-hidden="true">{shown}</span>
      <Spoken>{of(shown)}</Spoken>
      <span className={styles.count}>({count})</span>
    </span>
  )
}

/** A field in which a person gives one to five stars; the arrow keys move between them. */
export function StarsField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number | null
  onChange: (rating: number) => void
}) {
  const { star: starText } = useWords(texts)
  return (
    <RadioGroup
      className={styles.field}
      orientation="horizontal"
      value={value === null ? null : String(value)}
      onChange={next => onChange(Number(next))}
    >
      <Label className={fieldStyles.label}>{label}</Label>
      <div className={styles.choices}>
        {Array.from({ length: most }, (_, at) => at + 1).map(star => (
          <Radio key={star} value={String(star)} className={styles.choice} aria-label={starText(star)}>
            <Icon name={value !== null && star <= value ? 'starFull' : 'star'} className={styles.large} />
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
