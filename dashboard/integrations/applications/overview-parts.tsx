import { createKey } from '#contract/integrations/keys.ts'
import { useMay } from '../../data/organization.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { useApplicationHref } from '../application-links.ts'
import styles from '../integrations.module.css'
import { overviewTexts } from './overview.words.ts'

/** The problems of an application, each with its repair. */
export function ApplicationNotices({
  application: { id, principal, status, liveKeys },
  onRepair,
}: {
  application: Application
  onRepair: () => void
}) {
  const text = useWords(overviewTexts)
  const may = useMay()
  const hrefOf = useApplicationHref()
  const lacksKey = liveKeys === 0 && may(createKey)
  if (principal.isMember && status === 'ACTIVE' && !lacksKey) return null
  return (
    <div className={styles.note}>
      {!principal.isMember && (
        <Notice kind="danger">
          <div className={styles.noteLine}>
            {text.principalGone(principal.name)}
            <Button size="small" onPress={onRepair}>
              {text.repair}
            </Button>
          </div>
        </Notice>
      )}
      {status === 'DISABLED' && <Notice kind="warn">{text.isDisabled}</Notice>}
      {lacksKey && (
        <Notice>
          <div className={styles.noteLine}>
            {text.noKeys}
            <ButtonLink size="small" href={hrefOf(id, 'keys')}>
              {text.createKey}
            </ButtonLink>
          </div>
        </Notice>
      )}
    </div>
  )
}

/** The details of an application. */
export function ApplicationFacts({ application }: { application: Application }) {
  const text = useWords(overviewTexts)
  const { slug, description, principal, createdAt, lastUsedAt, origins, id } = application
  return (
    <Facts
      facts={[
        { term: text.description, value: description },
        { term: text.slug, value: <code className={styles.code}>{slug}</code> },
        {
          term: text.principal,
          value: principal.isMember ? (
            principal.name
          ) : (
            <Status icon="failed" kind="danger">
              {principal.name}
            </Status>
          ),
        },
        {
          term: text.lastUse,
          value: lastUsedAt ? (
            <Time value={lastUsedAt} isFocusable />
          ) : (
            <span className={styles.quiet}>{text.never}</span>
          ),
        },
        {
          term: text.origins,
          value:
            origins.length > 0 ? (
              <code className={styles.code}>{origins.join(', ')}</code>
            ) : (
              <span className={styles.quiet}>{text.noOrigins}</span>
            ),
        },
        { term: text.created, value: <Time value={createdAt} form="moment" isFocusable /> },
        { term: text.id, value: <Id value={id} isShortened /> },
      ]}
    />
  )
}
