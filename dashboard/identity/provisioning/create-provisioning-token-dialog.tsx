import { useEffect, useRef, useState } from 'react'
import { createProvisioningToken, listProvisioningTokens } from '#contract/identity/provisioning.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Secret } from '../../parts/secret.tsx'
import { useWords } from '../../words/words.ts'
import styles from './provisioning.module.css'
import { provisioningTexts } from './provisioning.words.ts'

const usualDays = 365

/** Creates a token, then shows it once. */
export function CreateProvisioningTokenDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(provisioningTexts)
  const [days, setDays] = useState<number | null>(usualDays)
  const [created, setCreated] = useState<{ name: string; token: string }>()
  const create = useAction(createProvisioningToken, { refreshes: [listProvisioningTokens] })
  const secret = useRef<HTMLDivElement>(null)
  // the form that had the focus is gone
  useEffect(() => {
    if (created) secret.current?.focus()
  }, [created])
  const { minimum = 1, maximum = 365 } = dataOf(createProvisioningToken).fields.expiresInDays ?? {}
  return (
    <Dialog
      title={created ? text.ready(created.name) : text.createTitle}
      isOpen
      onClose={onClose}
      isDismissable={!created}
    >
      {created ? (
        <>
          <div ref={secret} tabIndex={-1} className={styles.secret}>
            <Secret label={text.secret} value={created.token} fileName="patio-provisioning-token.txt" />
          </div>
          <Actions>
            <Button kind="primary" onPress={onClose}>
              {text.done}
            </Button>
          </Actions>
        </>
      ) : (
        <ActionForm
          onSubmit={async ({ name = '' }) => {
            const { token, name: saved } = await create.mutateAsync({
              body: { name: name.trim(), ...(days !== null && { expiresInDays: days }) },
            })
            setCreated({ token, name: saved })
          }}
        >
          {({ isBusy }) => (
            <>
              <TextField
                {...fieldOf(createProvisioningToken, 'name')}
                label={text.name}
                hint={text.nameHint}
                autoComplete="off"
              />
              <div className={styles.days}>
                <NumberField
                  label={text.days}
                  hint={text.daysHint(maximum)}
                  value={days}
                  onChange={setDays}
                  minimum={minimum}
                  maximum={maximum}
                />
              </div>
              <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
            </>
          )}
        </ActionForm>
      )}
    </Dialog>
  )
}
