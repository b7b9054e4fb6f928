import { useEffect, useRef, useState } from 'react'
import { listApplications, readApplication } from '#contract/integrations/applications.ts'
import { createKey, listKeys } from '#contract/integrations/keys.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { useAction, useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import styles from '../integrations.module.css'
import { curlOf } from './key.rules.ts'
import keyStyles from './keys.module.css'
import { keysTexts } from './keys.words.ts'

/** How often the first use is looked for. */
const firstUseMs = 2_000

type Created = { id: string; name: string; key: string }

/** Creates a key in three steps: its name, the key once with a command that uses it, and its first use. */
export function KeyDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const text = useWords(keysTexts)
  const [created, setCreated] = useState<Created>()
  return (
    <Dialog
      title={created ? text.readyTitle(created.name) : text.createTitle}
      isOpen
      onClose={onClose}
      isDismissable={!created}
    >
      {created ? (
        <NewKey applicationId={application.id} created={created} onClose={onClose} />
      ) : (
        <>
          <KeySteps at={0} />
          <KeyForm application={application} onClose={onClose} onCreated={setCreated} />
        </>
      )}
    </Dialog>
  )
}

function KeySteps({ at }: { at: 0 | 1 | 2 | 3 }) {
  const text = useWords(keysTexts)
  return (
    <Steps
      label={text.steps}
      steps={(['step1', 'step2', 'step3'] as const).map((id, index) => ({
        id,
        title: text[id],
        state: index < at ? 'done' : index === at ? 'next' : 'later',
      }))}
    />
  )
}

function KeyForm({
  application: { id, scopes },
  onClose,
  onCreated,
}: {
  application: Application
  onClose: () => void
  onCreated: (created: Created) => void
}) {
  const text = useWords(keysTexts)
  const [days, setDays] = useState<number | null>(null)
  const create = useAction(createKey, { refreshes: [listKeys, readApplication, listApplications] })
  const { minimum = 1, maximum = 3_650 } = dataOf(createKey).fields.expiresInDays ?? {}
  return (
    <ActionForm
      onSubmit={async ({ name = '' }) =>
        onCreated(
          await create.mutateAsync({
            params: { id },
            body: { name: name.trim(), ...(days !== null && { expiresInDays: days }) },
          }),
        )
      }
    >
      {({ isBusy }) => (
        <>
          <TextField
            {...fieldOf(createKey, 'name')}
            label={text.name}
            hint={text.nameHint}
            autoComplete="off"
          />
          <div className={keyStyles.days}>
            <NumberField
              label={text.days}
              hint={text.daysHint}
              value={days}
              onChange={setDays}
              minimum={minimum}
              maximum={maximum}
            />
          </div>
          <div>
            <p>{scopes.length === 0 ? text.canDoNothing : text.canDo(scopes.length)}</p>
            <div className={keyStyles.scopes}>
              {scopes.map(scope => (
                <Tag key={scope}>{scope}</Tag>
              ))}
            </div>
          </div>
          <FormActions onLeave={onClose} action={text.createAction} isBusy={isBusy} />
        </>
      )}
    </ActionForm>
  )
}

/** The key, shown once, and a command that uses it; says when the first use was seen. */
function NewKey({
  applicationId,
  created,
  onClose,
}: {
  applicationId: string
  created: Created
  onClose: () => void
}) {
  const text = useWords(keysTexts)
  const secret = useRef<HTMLDivElement>(null)
  // the form that had the focus is gone
  useEffect(() => secret.current?.focus(), [])
  const keys = useList(listKeys, { params: { id: applicationId } }, { pollMs: firstUseMs })
  const isUsed = keys.items.find(({ id }) => id === created.id)?.lastUsedAt != null
  return (
    <>
      <KeySteps at={isUsed ? 3 : 1} />
      <div ref={secret} tabIndex={-1} className={keyStyles.secret}>
        <Secret label={text.secret} value={created.key} fileName="patio-key.txt" />
      </div>
      <div className={styles.tight}>
        <h3 className={styles.title}>{text.tryIt}</h3>
        <p className={styles.quiet}>{text.tryAbout}</p>
        <Code text={curlOf(location.origin, created.key)} label={text.command} isWrapped />
      </div>
      <Status icon={isUsed ? 'done' : 'clock'} kind={isUsed ? 'done' : 'quiet'}>
        {isUsed ? text.seen : text.waits}
      </Status>
      <Spoken isLive>{isUsed && text.seen}</Spoken>
      <Actions>
        <Button kind="primary" onPress={onClose}>
          {text.done}
        </Button>
      </Actions>
    </>
  )
}
