import { useState } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budget.module.css'
import { type DiscountRow, newKey } from './budget-form.ts'
import { editorTexts } from './editor.words.ts'
import { discountText, parsedDiscount } from './item-cells.ts'
import tableStyles from './items-table.module.css'

/** The discounts of the whole budget, each a name with a percentage or an amount. */
export function BudgetDiscounts({
  discounts,
  currency,
  onChange,
}: {
  discounts: readonly DiscountRow[]
  currency: string
  onChange: (discounts: readonly DiscountRow[]) => void
}) {
  const text = useWords(editorTexts)
  return (
    <fieldset aria-label={text.discounts} className={styles.discounts}>
      {discounts.map((row, at) => (
        <DiscountLine
          key={row.key}
          row={row}
          number={at + 1}
          currency={currency}
          onChange={changed => onChange(discounts.with(at, changed))}
          onRemove={() => onChange(discounts.toSpliced(at, 1))}
        />
      ))}
      {discounts.length < crmLimits.budgetDiscounts && (
        <Button
          kind="quiet"
          size="small"
          icon="plus"
          onPress={() =>
            onChange([...discounts, { key: newKey(), name: text.discountDefault, discount: null }])
          }
        >
          {text.addDiscount}
        </Button>
      )}
    </fieldset>
  )
}

function DiscountLine({
  row,
  number,
  currency,
  onChange,
  onRemove,
}: {
  row: DiscountRow
  number: number
  currency: string
  onChange: (row: DiscountRow) => void
  onRemove: () => void
}) {
  const text = useWords(editorTexts)
  const notation = { language: useLanguage(), currency }
  const [typed, setTyped] = useState<string>()
  return (
    <div className={styles.discount}>
      <input
        className={tableStyles.cell}
        aria-label={text.cell(text.discountName, number)}
        aria-invalid={row.name.trim() === ''}
        maxLength={crmLimits.budgetTitle}
        autoComplete="off"
        value={row.name}
        onChange={event => onChange({ ...row, name: event.target.value })}
      />
      <input
        className={tableStyles.cell}
        aria-label={text.cell(text.discountValue, number)}
        aria-invalid={typeof row.discount === 'string'}
        placeholder={text.discountHint}
        maxLength={24}
        autoComplete="off"
        value={typed ?? discountText(row.discount, notation)}
        onBlur={() => setTyped(undefined)}
        onChange={event => {
          setTyped(event.target.value)
          onChange({ ...row, discount: parsedDiscount(event.target.value, notation) })
        }}
      />
      <IconButton icon="close" size="small" label={text.removeDiscount} onPress={onRemove} />
    </div>
  )
}
