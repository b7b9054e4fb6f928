import { useEffect, useState } from 'react'
import {
  NumberField as AriaNumberField,
  TextField as AriaTextField,
  Button,
  Group,
  Input,
} from 'react-aria-components'
import { useLanguage, useWords, words } from '../words/words.ts'
import { parsedAmount } from './amount.ts'
import styles from './field.module.css'
import { FieldFrame } from './field-frame.tsx'
import { Icon } from './icon.tsx'
import { decimalsOf, figuresText, moneyPieces } from './money-text.ts'

const texts = words({
  es: { more: 'Más', less: 'Menos', notAmount: 'Escribe un importe, como 1.536,70' },
  en: { more: 'More', less: 'Less', notAmount: 'Type an amount, like 1.536,70' },
})

type FieldProps = {
  label: string
  hint?: string
  name?: string
  isRequired?: boolean
  isDisabled?: boolean
}

/** A field for a number, with buttons and arrows for one more or less. */
export function NumberField({
  label,
  hint,
  value,
  onChange,
  minimum,
  maximum,
  ...field
}: FieldProps & {
  value?: number | null
  onChange?: (value: number | null) => void
  minimum?: number
  maximum?: number
}) {
  const { more, less } = useWords(texts)
  return (
    <AriaNumberField
      {...field}
      className={styles.field}
      {...(value !== undefined && { value: value ?? Number.NaN })}
      {...(onChange && { onChange: next => onChange(Number.isNaN(next) ? null : next) })}
      {...(minimum !== undefined && { minValue: minimum })}
      {...(maximum !== undefined && { maxValue: maximum })}
    >
      <FieldFrame label={label} hint={hint}>
        <Group className={styles.numberGroup}>
          <Input className={`${styles.input} ${styles.number}`} />
          <Button slot="decrement" className={styles.stepper} aria-label={less}>
            <Icon name="minus" />
          </Button>
          <Button slot="increment" className={styles.stepper} aria-label={more}>
            <Icon name="plus" />
          </Button>
        </Group>
      </FieldFrame>
    </AriaNumberField>
  )
}

/** A field for an amount in the smallest unit of its currency. It reads both notations and shows that of the person's language. */
export function MoneyField({
  label,
  hint,
  cents,
  currency,
  onChange,
  ...field
}: FieldProps & { cents: number | null; currency: string; onChange: (cents: number | null) => void }) {
  const { notAmount } = useWords(texts)
  const decimals = decimalsOf(currency)
  const language = useLanguage()
  const sign = moneyPieces(0, currency, language).find(({ kind }) => kind === 'sign')?.text ?? currency
  const shown = cents === null ? '' : figuresText(cents, currency, language)
  const [typed, setTyped] = useState(shown)
  const isTyped = parsedAmount(typed, decimals) === (cents ?? undefined)
  // a change from outside replaces what was typed; an amount on its way stays as the person types it
  useEffect(() => {
    if (!isTyped && (cents !== null || typed === '')) setTyped(shown)
  }, [isTyped, cents, shown, typed])
  const isWrong = typed !== '' && parsedAmount(typed, decimals) === undefined
  return (
    <AriaTextField
      {...field}
      className={styles.field}
      value={typed}
      inputMode="decimal"
      autoComplete="off"
      isInvalid={isWrong}
      onChange={text => {
        setTyped(text)
        onChange(parsedAmount(text, decimals) ?? null)
      }}
      onBlur={() => cents !== null && setTyped(shown)}
    >
      <FieldFrame label={label} hint={hint} error={isWrong ? notAmount : undefined}>
        <div className={styles.numberGroup}>
          <Input className={`${styles.input} ${styles.money}`} maxLength={24} />
          <span className={styles.unit} aria-hidden="true">
            {sign}
          </span>
        </div>
      </FieldFrame>
    </AriaTextField>
  )
}

/** A day, in the browser's own control: `2026-12-03`. */
export function DateField({
  label,
  hint,
  value,
  onChange,
  minimum,
  maximum,
  ...field
}: FieldProps & {
  value?: string
  onChange?: (value: string) => void
  minimum?: string
  maximum?: string
}) {
  return (
    <AriaTextField
      {...field}
      type="date"
      className={styles.field}
      {...(value !== undefined && { value })}
      {...(onChange && { onChange })}
    >
      <FieldFrame label={label} hint={hint}>
        <Input className={`${styles.input} ${styles.date}`} min={minimum} max={maximum} />
      </FieldFrame>
    </AriaTextField>
  )
}
