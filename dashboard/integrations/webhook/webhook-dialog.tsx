import { useState } from 'react'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import {
  listWebhookSecrets,
  readWebhook,
  readWebhookHealth,
  setWebhook,
} from '#contract/integrations/webhook.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { GrantObstacleText } from '../grant-obstacle.tsx'
import { grantObstacleOf } from '../grant-rights.rules.ts'
import styles from '../integrations.module.css'
import fieldStyles from './event-field.module.css'
import { EventField } from './event-field.tsx'
import { NewSecret } from './new-secret.tsx'
import type { Webhook } from './webhook.ts'
import { webhookFormTexts } from './webhook-form.words.ts'

type WebhookDialogProps = {
  application: Application
  /** Undefined: a new one. */
  webhook: Webhook | undefined
  onClose: () => void
}

/** Sets the webhook of an application. The first time, its secret is shown once. */
export function WebhookDialog({ application, webhook, onClose }: WebhookDialogProps) {
  const text = useWords(webhookFormTexts)
  const [secret, setSecret] = useState<string>()
  const [isNew] = useState(webhook === undefined)
  const title = isNew ? text.createTitle(application.name) : text.changeTitle(application.name)
  return (
    <Dialog
      title={secret === undefined ? title : text.readyTitle}
      isOpen
      onClose={onClose}
      size={secret === undefined ? 'wide' : 'usual'}
      isDismissable={secret === undefined}
    >
      {secret === undefined ? (
        <WebhookForm application={application} webhook={webhook} onClose={onClose} onSecret={setSecret} />
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  )
}

const contentScopesOf = (events: ReadonlySet<string>) =>
  applicationEvents.filter(({ event }) => events.has(event)).flatMap(({ contentScopes }) => contentScopes)

type Options = { maxPerSecond: number | null; ordered: boolean; standardHeaders: boolean }

function WebhookForm({
  application,
  webhook,
  onClose,
  onSecret,
}: WebhookDialogProps & { onSecret: (secret: string) => void }) {
  const text = useWords(webhookFormTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? []))
  const [options, setOptions] = useState<Options>({
    maxPerSecond: webhook?.maxPerSecond ?? null,
    ordered: webhook?.ordered ?? false,
    standardHeaders: webhook?.standardHeaders ?? false,
  })
  const set = useAction(setWebhook, { refreshes: [readWebhook, readWebhookHealth, listWebhookSecrets] })
  // the content of some events needs more than the scopes of the application (WHK-3)
  const obstacle = grantObstacleOf(caller, application, contentScopesOf(events))
  async function send({ url = '' }: Readonly<Record<string, string>>): Promise<void> {
    const saved = await set.mutateAsync({
      params: { id: application.id },
      body: { url: url.trim(), events: [...events], ...options },
    })
    // the first reply has the secret
    if ('secret' in saved) return onSecret(String(saved.secret))
    showToast({ text: text.saved })
    onClose()
  }
  return (
    <ActionForm
      onSubmit={send}
      reasonOf={({ path, message }) => (path === 'url' && language === 'es' ? text.urlRefused : message)}
    >
      {({ isBusy }) => (
        <>
          {obstacle && (
            <Notice kind="warn">
              <GrantObstacleText obstacle={obstacle} />
            </Notice>
          )}
          <TextField
            {...fieldOf(setWebhook, 'url')}
            label={text.url}
            hint={text.urlHint}
            defaultValue={webhook?.url ?? ''}
            placeholder="https://"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck="false"
            isReadOnly={obstacle !== undefined && webhook !== undefined}
          />
          <div className={fieldStyles.fields}>
            <div>
              <h3 className={styles.title}>{text.events}</h3>
              <p className={styles.quiet}>{text.eventsAbout}</p>
            </div>
            <EventField
              chosen={events}
              onChange={setEvents}
              scopes={application.scopes}
              mayAdd={grantObstacleOf(caller, application) === undefined}
              stored={webhook?.events ?? []}
            />
            <h3 className={styles.title}>{text.options}</h3>
          </div>
          <OptionFields options={options} onChange={setOptions} />
          <div className={styles.end}>
            <span className={styles.quiet}>{text.chosen(events.size)}</span>
            <FormActions
              onLeave={onClose}
              action={webhook ? text.save : text.create}
              isBusy={isBusy}
              isDisabled={obstacle !== undefined && webhook === undefined}
            />
          </div>
        </>
      )}
    </ActionForm>
  )
}

/** How deliveries are sent: how many in a second, whether in order, and with which headers. */
function OptionFields({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const text = useWords(webhookFormTexts)
  const { minimum = 1, maximum = 1_000 } = dataOf(setWebhook).fields.maxPerSecond ?? {}
  return (
    <>
      <div className={fieldStyles.rate}>
        <NumberField
          label={text.rate}
          hint={text.rateHint}
          value={options.maxPerSecond}
          onChange={maxPerSecond => onChange({ ...options, maxPerSecond })}
          minimum={minimum}
          maximum={maximum}
        />
      </div>
      <div className={styles.tight}>
        <Checkbox
          isSelected={options.ordered}
          onChange={ordered => onChange({ ...options, ordered })}
          hint={text.orderedHint}
        >
          {text.ordered}
        </Checkbox>
        <Checkbox
          isSelected={options.standardHeaders}
          onChange={standardHeaders => onChange({ ...options, standardHeaders })}
          hint={text.standardHint}
        >
          {text.standard}
        </Checkbox>
      </div>
    </>
  )
}
