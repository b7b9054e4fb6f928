import { useState } from 'react'
import type { AgentBudget } from '#contract/chat/agents.ts'
import { limits } from '#contract/limits.ts'
import { parsedAmount } from '../../parts/amount.ts'
import { TextField } from '../../parts/field.tsx'
import { costText } from '../../parts/number-text.ts'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { microsOf } from './agent.rules.ts'
import styles from './agents.module.css'
import { budgetTexts } from './agents.words.ts'

/** A cap on its way: null is none, undefined is a text that is no cap. */
export type Cap = number | null | undefined

/** A cap is typed in hundredths: in thousandths, “1.500” would be read as one and a half. */
const decimals = 2

/** Chooses between no cap and an amount per month. */
export function CapField({
  budget,
  applicationName,
  isFirstSuggested = false,
  onChange,
}: {
  budget: AgentBudget
  applicationName: string
  /** Without a cap so far, “up to an amount” is chosen: a person decides on the first agent. */
  isFirstSuggested?: boolean
  onChange: (cap: Cap) => void
}) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  const { capMicros, spentMicros } = budget
  const [isLimited, setLimited] = useState(capMicros !== null || isFirstSuggested)
  const [typed, setTyped] = useState(capMicros === null ? '' : costText(capMicros, language))
  const amount = parsedAmount(typed, decimals)
  const isTooMuch = amount !== undefined && microsOf(amount) > limits.agentCapMicros
  // a cap with more decimals, which only the API can set, stays as it is until somebody types another
  const isUnchanged = (written: string) => capMicros !== null && written === costText(capMicros, language)
  const problem = isUnchanged(typed)
    ? undefined
    : amount === undefined || amount < 0
      ? text.notAmount
      : isTooMuch
        ? text.tooMuch(costText(limits.agentCapMicros, language))
        : undefined
  function report(limited: boolean, written: string): void {
    const cents = parsedAmount(written, decimals)
    const isCap = cents !== undefined && cents >= 0 && microsOf(cents) <= limits.agentCapMicros
    onChange(limited ? (isUnchanged(written) ? capMicros : isCap ? microsOf(cents) : undefined) : null)
  }
  return (
    <>
      <RadioGroup
        label={text.kind(applicationName)}
        hint={text.kindHint}
        value={isLimited ? 'limited' : 'unlimited'}
        onChange={kind => {
          setLimited(kind === 'limited')
          report(kind === 'limited', typed)
        }}
        options={[
          { value: 'limited', label: text.limited },
          { value: 'unlimited', label: text.unlimited, hint: text.unlimitedHint },
        ]}
      />
      {isLimited && (
        <div className={styles.cap}>
          <TextField
            label={text.cap}
            hint={text.capHint(costText(spentMicros, language))}
            value={typed}
            onChange={written => {
              setTyped(written)
              report(true, written)
            }}
            inputMode="decimal"
            autoComplete="off"
            isRequired
            validate={() => problem}
          />
        </div>
      )}
    </>
  )
}
