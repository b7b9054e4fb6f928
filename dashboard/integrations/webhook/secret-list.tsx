import { Id } from '../../parts/id.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import keyStyles from '../keys/keys.module.css'
import type { WebhookSecret } from './webhook.rules.ts'
import { secretTexts } from './webhook-secrets.words.ts'

const looks = {
  PREPARED: { icon: 'half', kind: 'warn' },
  CURRENT: { icon: 'done', kind: 'done' },
  RETIRING: { icon: 'clock', kind: 'plain' },
  RETIRED: { icon: 'dashed', kind: 'quiet' },
} as const

/** The secrets of a webhook; the retired ones behind a line. */
export function SecretList({ secrets }: { secrets: readonly WebhookSecret[] }) {
  const text = useWords(secretTexts)
  const retired = secrets.filter(({ state }) => state === 'RETIRED')
  return (
    <div>
      <ul>
        {secrets
          .filter(({ state }) => state !== 'RETIRED')
          .map(secret => (
            <SecretLine key={secret.id} secret={secret} />
          ))}
      </ul>
      {retired.length > 0 && (
        <details className={keyStyles.ended}>
          <summary>{text.retired(retired.length)}</summary>
          <ul>
            {retired.map(secret => (
              <SecretLine key={secret.id} secret={secret} />
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function SecretLine({ secret: { id, state, createdAt, stateSince } }: { secret: WebhookSecret }) {
  const text = useWords(secretTexts)
  return (
    <li className={keyStyles.endedKey}>
      <span>
        {text.secretOf} <Time value={createdAt} form="date" /> <Id value={id} isShortened />
      </span>
      <span className={styles.buttons}>
        <Status {...looks[state]}>{text[state]}</Status>
        <span className={styles.quiet}>
          {text.since} <Time value={stateSince} />
        </span>
      </span>
    </li>
  )
}
