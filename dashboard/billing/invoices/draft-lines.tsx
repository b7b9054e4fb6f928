import { limits } from '#contract/limits.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { MoneyField } from '../../parts/number-fields.tsx'
import { useWords } from '../../words/words.ts'
import { parsedDecimal, parsedTaxes, type TypedLine } from './draft.rules.ts'
import { draftTexts } from './draft.words.ts'
import styles from './invoice.module.css'

/** The lines of a draft as fields. A new line takes the taxes of the one before. */
export function DraftLines({
  lines,
  currency,
  onChange,
}: {
  lines: readonly TypedLine[]
  currency: string
  onChange: (lines: TypedLine[]) => void
}) {
  const text = useWords(draftTexts)
  const set = (key: string, changed: Partial<TypedLine>) =>
    onChange(lines.map(line => (line.key === key ? { ...line, ...changed } : line)))
  const add = () =>
    onChange([
      ...lines,
      {
        key: crypto.randomUUID(),
        description: '',
        quantity: '1',
        unitPriceCents: null,
        discount: '',
        taxes: lines.at(-1)?.taxes ?? '',
      },
    ])
  return (
    <fieldset className={styles.draftLines}>
      <legend className={styles.partTitle}>{text.lines}</legend>
      {lines.map((line, at) => (
        <LineFields
          key={line.key}
          line={line}
          currency={currency}
          number={at + 1}
          onChange={changed => set(line.key, changed)}
          onRemove={() => onChange(lines.filter(({ key }) => key !== line.key))}
        />
      ))}
      <div>
        <Button icon="plus" isDisabled={lines.length >= limits.invoiceLines} onPress={add}>
          {text.addLine}
        </Button>
      </div>
    </fieldset>
  )
}

function LineFields({
  line,
  currency,
  number,
  onChange,
  onRemove,
}: {
  line: TypedLine
  currency: string
  number: number
  onChange: (changed: Partial<TypedLine>) => void
  onRemove: () => void
}) {
  const text = useWords(draftTexts)
  return (
    <fieldset className={styles.draftLine} aria-label={text.line(number)}>
      <TextField
        label={text.description}
        value={line.description}
        onChange={description => onChange({ description })}
        maxLength={limits.invoiceLineText}
        isRequired
        // a new line begins where the person types next
        autoFocus={line.description === '' && line.unitPriceCents === null}
      />
      <TextField
        label={text.quantity}
        value={line.quantity}
        onChange={quantity => onChange({ quantity })}
        inputMode="decimal"
        validate={typed => (parsedDecimal(typed) === undefined ? text.notNumber : null)}
      />
      <MoneyField
        label={text.price}
        cents={line.unitPriceCents}
        currency={currency}
        onChange={unitPriceCents => onChange({ unitPriceCents })}
        isRequired
      />
      <TextField
        label={text.discount}
        value={line.discount}
        onChange={discount => onChange({ discount })}
        inputMode="decimal"
        validate={typed =>
          typed.trim() !== '' && parsedDecimal(typed) === undefined ? text.notNumber : null
        }
      />
      <TextField
        label={text.taxes}
        value={line.taxes}
        onChange={taxes => onChange({ taxes })}
        placeholder={text.taxesExample}
        validate={typed => (parsedTaxes(typed) === undefined ? text.notTaxes : null)}
      />
      <IconButton icon="trash" size="small" label={text.removeLine(number)} onPress={onRemove} />
    </fieldset>
  )
}
