import { createApplication } from '#contract/integrations/applications.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import { applicationFormTexts } from './application-form.words.ts'

export type ApplicationValues = { name: string; slug: string; description: string; origins: string }

/** The fields of an application besides its scopes. */
export function ApplicationFields({
  values,
  onChange,
  isNew = false,
}: {
  values: ApplicationValues
  onChange: (changed: Partial<ApplicationValues>) => void
  /** A new one gets its short name from its name. */
  isNew?: boolean
}) {
  const text = useWords(applicationFormTexts)
  return (
    <>
      <div className={styles.pair}>
        <TextField
          {...fieldOf(createApplication, 'name')}
          label={text.name}
          hint={text.nameHint}
          value={values.name}
          onChange={name => onChange({ name })}
          autoComplete="off"
        />
        {!isNew && (
          <TextField
            {...fieldOf(createApplication, 'slug')}
            label={text.slug}
            hint={text.slugHint}
            value={values.slug}
            onChange={slug => onChange({ slug })}
            pattern={dataOf(createApplication).fields.slug?.pattern ?? '.*'}
            autoComplete="off"
            spellCheck="false"
            isRequired
          />
        )}
      </div>
      <TextField
        {...fieldOf(createApplication, 'description')}
        label={text.description}
        rows={2}
        value={values.description}
        onChange={description => onChange({ description })}
      />
      {!isNew && <OriginsField value={values.origins} onChange={origins => onChange({ origins })} />}
    </>
  )
}

/** The lines of the field as the operation takes them. */
export function originsOf({ origins }: Pick<ApplicationValues, 'origins'>): string[] {
  return [...new Set(origins.split(/\s+/).filter(line => line !== ''))]
}

/** The origins from which browsers may call, one in each line. */
export function OriginsField({ value, onChange }: { value: string; onChange: (origins: string) => void }) {
  const text = useWords(applicationFormTexts)
  const { maxItems = 20 } = dataOf(createApplication).fields.origins ?? {}
  return (
    <TextField
      label={text.origins}
      name="origins"
      hint={text.originsHint(maxItems)}
      rows={2}
      value={value}
      onChange={onChange}
      spellCheck="false"
    />
  )
}
