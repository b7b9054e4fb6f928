import { useState } from 'react'
import { readSecretNames, updateSecretNames } from '#contract/error-reports/secret-names.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { reportingTexts } from './reporting.words.ts'
import { namesIn, namesProblem } from './secret-names.rules.ts'

/** The names of the fields whose values are removed from all reports (SCR-4). */
export function SecretNames() {
  const text = useWords(reportingTexts)
  const language = useLanguage()
  const { data, error } = useRead(readSecretNames)
  return (
    <Section title={text.secrets} about={text.secretsAbout}>
      {error && <Problem title={textOfError(error, language)} />}
      {!data && !error && <Skeleton rows={2} label={text.reading} />}
      {data && <NamesForm key={data.names.join('\n')} names={data.names} />}
    </Section>
  )
}

function NamesForm({ names }: { names: readonly string[] }) {
  const text = useWords(reportingTexts)
  const [typed, setTyped] = useState(names.join('\n'))
  const update = useAction(updateSecretNames, { refreshes: [readSecretNames] })
  function validate(value: string): string | null {
    const problem = namesProblem(namesIn(value))
    if (!problem) return null
    return problem.kind === 'tooMany' ? text.tooMany(limits.secretNames) : text.invalid(problem.name)
  }
  async function send(): Promise<void> {
    const wanted = namesIn(typed)
    await update.mutateAsync({ body: { names: wanted } })
    showToast({ text: text.secretsSaved(wanted.length) })
  }
  return (
    <ActionForm onSubmit={send} aria-label={text.secrets}>
      {({ isBusy }) => (
        <>
          <TextField
            label={text.secretsLabel}
            hint={text.secretsHint}
            rows={5}
            value={typed}
            onChange={setTyped}
            validate={validate}
            spellCheck="false"
          />
          <div>
            <Button type="submit" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  )
}
