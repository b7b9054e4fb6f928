import { type ReactNode, useMemo, useState } from 'react'
import { Combo } from '../parts/combo.tsx'
import { useLanguage } from '../words/words.ts'
import { countriesIn, countryName } from './countries.ts'

/** A field for a country, found by its name. The form sends its code. */
export function CountryField({
  label,
  hint,
  name,
  defaultValue,
  onChange,
  isRequired,
}: {
  label: string
  hint?: ReactNode
  name: string
  /** The code of the country; empty for none. */
  defaultValue: string
  onChange?: (code: string) => void
  isRequired?: boolean
}) {
  const language = useLanguage()
  const [code, setCode] = useState(defaultValue)
  const items = useMemo(() => {
    const known = countriesIn(language).map(country => ({ id: country.code, label: country.name }))
    const isKnown = defaultValue === '' || known.some(({ id }) => id === defaultValue)
    return isKnown ? known : [{ id: defaultValue, label: countryName(defaultValue, language) }, ...known]
  }, [language, defaultValue])
  return (
    <Combo
      label={label}
      hint={hint}
      name={name}
      items={items}
      value={code || null}
      onChange={next => {
        setCode(next ?? '')
        onChange?.(next ?? '')
      }}
      {...(isRequired && { isRequired })}
    />
  )
}
