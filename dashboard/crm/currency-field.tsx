import { useMemo, useState } from 'react'
import { Combo } from '../parts/combo.tsx'
import { useLanguage } from '../words/words.ts'
import { currenciesIn } from './currencies.ts'

/** A field for a currency, found by its code or name. The form sends its code in lower case. */
export function CurrencyField({
  label,
  hint,
  name,
  defaultValue,
  onChange,
}: {
  label: string
  hint: string
  name: string
  defaultValue: string
  onChange: (code: string) => void
}) {
  const language = useLanguage()
  const [code, setCode] = useState(defaultValue)
  const items = useMemo(
    () =>
      currenciesIn(language).map(currency => ({
        id: currency.code,
        label: `${currency.code.toUpperCase()} · ${currency.name}`,
      })),
    [language],
  )
  return (
    <Combo
      label={label}
      hint={hint}
      name={name}
      items={items}
      value={code || null}
      onChange={next => {
        setCode(next ?? '')
        onChange(next ?? '')
      }}
      isRequired
    />
  )
}
