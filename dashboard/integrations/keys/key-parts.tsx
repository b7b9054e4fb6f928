import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import type { ApplicationKey } from './key.rules.ts'
import keyStyles from './keys.module.css'
import { keysTexts } from './keys.words.ts'

/** A key that works. */
export function KeyCard({
  apiKey: { name, prefix, lastUsedAt, createdAt, expiresAt },
  onRevoke,
}: {
  apiKey: ApplicationKey
  /** Undefined for people who may not revoke it. */
  onRevoke: (() => void) | undefined
}) {
  const text = useWords(keysTexts)
  return (
    <Card
      title={name}
      level={3}
      actions={
        onRevoke && (
          <Button size="small" aria-label={text.revokeIt(name)} onPress={onRevoke}>
            {text.revoke}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { term: text.prefix, value: <code className={styles.code}>{prefix}…</code> },
          {
            term: text.lastUse,
            value: lastUsedAt ? (
              <Time value={lastUsedAt} isFocusable />
            ) : (
              <span className={styles.quiet}>{text.never}</span>
            ),
          },
          { term: text.created, value: <Time value={createdAt} form="date" isFocusable /> },
          {
            term: text.expires,
            value: expiresAt ? <Time value={expiresAt} form="moment" isFocusable /> : text.noExpiry,
          },
        ]}
      />
    </Card>
  )
}

/** The keys that were revoked or have expired, behind a line. */
export function EndedKeys({ keys }: { keys: readonly ApplicationKey[] }) {
  const text = useWords(keysTexts)
  if (keys.length === 0) return null
  return (
    <details className={keyStyles.ended}>
      <summary>{text.ended(keys.length)}</summary>
      <ul>
        {keys.map(({ id, name, prefix, revokedAt, expiresAt }) => (
          <li key={id} className={keyStyles.endedKey}>
            <span>
              {name} <code className={keyStyles.prefix}>{prefix}…</code>
            </span>
            <span className={styles.quiet}>
              {revokedAt ? text.revokedAt : text.expiredAt}{' '}
              <Time value={revokedAt ?? expiresAt ?? ''} form="date" />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
