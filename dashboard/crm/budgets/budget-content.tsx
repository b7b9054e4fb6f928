import { Fragment } from 'react'
import type { BudgetContent as Content } from '#contract/crm/budgets.ts'
import { Money } from '../../parts/money.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budgets.module.css'
import { budgetTexts } from './budgets.words.ts'
import { decimalText } from './item-cells.ts'

type Item = Content['sections'][number]['items'][number]

/** The items of a budget, to read. */
export function BudgetContent({ sections, currency }: Pick<Content, 'sections'> & { currency: string }) {
  const text = useWords(budgetTexts)
  if (sections.every(({ items }) => items.length === 0)) return <p className={styles.quiet}>{text.noItems}</p>
  // the sections of a budget to read never move
  const numbered = sections.map((section, at) => ({ ...section, key: `section ${at}` }))
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{text.items}</th>
          <th scope="col" className={styles.end}>
            {text.total}
          </th>
        </tr>
      </thead>
      <tbody>
        {numbered.map(({ key, title, description, items }) => (
          <Fragment key={key}>
            {(title || description) && (
              <tr>
                <th scope="rowgroup" colSpan={2} className={styles.sectionTitle}>
                  {title}
                  {description && <span className={styles.small}>{description}</span>}
                </th>
              </tr>
            )}
            {items
              .map((item, at) => ({ item, key: `item ${at}` }))
              .map(one => (
                <ItemLine key={one.key} item={one.item} currency={currency} />
              ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function ItemLine({ item, currency }: { item: Item; currency: string }) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  const { name, description, quantity, unit, unitPriceCents, optional, selected, subtotalCents } = item
  return (
    <tr>
      <td>
        {name}
        <span className={styles.small}>
          {decimalText(quantity, language)} {unit} × <Money cents={unitPriceCents} currency={currency} />
          {optional && !selected && ` · ${text.notCounted}`}
        </span>
        {description && <span className={styles.small}>{description}</span>}
      </td>
      <td className={styles.end}>
        <Money cents={subtotalCents} currency={currency} form="bare" />
      </td>
    </tr>
  )
}
