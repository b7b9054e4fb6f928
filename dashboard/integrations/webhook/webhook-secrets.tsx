import { useState } from 'react'
import {
  activateWebhookSecret,
  listWebhookSecrets,
  prepareWebhookSecret,
  retireWebhookSecret,
} from '#contract/integrations/webhook.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { GrantObstacleText } from '../grant-obstacle.tsx'
import { grantObstacleOf } from '../grant-rights.rules.ts'
import styles from '../integrations.module.css'
import { SecretList } from './secret-list.tsx'
import { SecretSteps } from './secret-steps.tsx'
import { secretRotationOf } from './webhook.rules.ts'
import type { SecretQuestion } from './webhook.ts'
import { secretTexts } from './webhook-secrets.words.ts'

const SecretDialogs = late(() => import('./secret-dialogs.tsx').then(dialogs => dialogs.SecretDialogs))

/** The secrets of a webhook, and the three steps from one to another (WHK-13, WHK-14). */
export function WebhookSecrets({ application }: { application: Application }) {
  const text = useWords(secretTexts)
  const language = useLanguage()
  const may = useMay()
  const { caller } = useOrganization()
  const [question, setQuestion] = useState<SecretQuestion>()
  const { data, error } = useRead(listWebhookSecrets, { params: { id: application.id } })
  const prepare = useAction(prepareWebhookSecret, { refreshes: [listWebhookSecrets] })
  const obstacle = grantObstacleOf(caller, application)
  const startPreparing = () =>
    prepare.mutate(
      { params: { id: application.id } },
      {
        onSuccess: ({ secret }) => setQuestion({ kind: 'prepared', value: secret }),
        toastsFailure: true,
      },
    )
  return (
    <Section title={text.title} about={text.about}>
      {data ? (
        <div className={styles.stack}>
          <SecretSteps
            rotation={secretRotationOf(data.items)}
            isPreparing={prepare.isPending}
            onPrepare={may(prepareWebhookSecret) && !obstacle ? startPreparing : undefined}
            onActivate={
              may(activateWebhookSecret) ? secret => setQuestion({ kind: 'activate', secret }) : undefined
            }
            onRetire={
              may(retireWebhookSecret) ? secret => setQuestion({ kind: 'retire', secret }) : undefined
            }
          />
          {obstacle && (
            <Notice>
              <GrantObstacleText obstacle={obstacle} />
            </Notice>
          )}
          <SecretList secrets={data.items} />
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={3} label={text.reading} />
      )}
      {question && (
        <SecretDialogs
          question={question}
          applicationId={application.id}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </Section>
  )
}
