import { type Creditor, readCreditor, updateCreditor } from '#contract/billing/direct-debits.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { directDebitTexts } from './direct-debits.words.ts'

const names = ['name', 'identifier', 'iban', 'bic'] as const

/** The organization as a creditor; only its managers can change it (SDD-2). */
export function CreditorDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(readCreditor)
  return (
    <Dialog title={text.creditorTitle} isOpen onClose={onClose} size="small">
      {error && <Problem title={textOfError(error, language)} />}
      {!data && !error && <Skeleton rows={4} label={text.reading} />}
      {data && may(updateCreditor) && <CreditorForm creditor={data.creditor} onClose={onClose} />}
      {data && !may(updateCreditor) && (
        <>
          {data.creditor ? (
            <Facts facts={names.map(name => ({ term: text[name], value: data.creditor?.[name] }))} />
          ) : (
            <Notice>{text.creditorMissing}</Notice>
          )}
          <FormActions onLeave={onClose} />
        </>
      )}
    </Dialog>
  )
}

function CreditorForm({ creditor, onClose }: { creditor: Creditor | null; onClose: () => void }) {
  const text = useWords(directDebitTexts)
  const update = useAction(updateCreditor, { refreshes: [readCreditor] })
  return (
    <ActionForm
      onSubmit={async ({ name = '', identifier = '', iban = '', bic = '' }) => {
        const capitals = (value: string) => value.trim().toUpperCase()
        await update.mutateAsync({
          body: {
            name: name.trim(),
            identifier: capitals(identifier).replaceAll(' ', ''),
            iban: capitals(iban),
            bic: capitals(bic) || null,
          },
        })
        showToast({ text: text.creditorSaved })
        onClose()
      }}
    >
      {({ isBusy }) => (
        <>
          <p>{text.creditorAbout}</p>
          {names.map(name => (
            <TextField
              key={name}
              {...fieldOf(updateCreditor, name)}
              isRequired={name !== 'bic'}
              label={text[name]}
              defaultValue={creditor?.[name] ?? ''}
              {...(name === 'bic' && { hint: text.bicHint })}
              autoComplete="off"
              spellCheck="false"
            />
          ))}
          <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
        </>
      )}
    </ActionForm>
  )
}
