import type { IconName } from '../../parts/icon.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './health.module.css'
import {
  checksOf,
  freePart,
  type HealthCheckId,
  type ServerHealth,
  type HealthState as State,
} from './health.rules.ts'
import { checkTexts, healthTexts } from './health.words.ts'
import { figuresOf } from './health-figures.ts'

const icons: Readonly<Record<State, { icon: IconName; kind: StatusKind }>> = {
  good: { icon: 'done', kind: 'done' },
  watch: { icon: 'errors', kind: 'warn' },
  bad: { icon: 'failed', kind: 'danger' },
}

/** Each part of the server: its state, its figure, what is normal, and what to do when it is not. */
export function CheckList({ health }: { health: ServerHealth }) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  return (
    <ul className={styles.checks}>
      {checksOf(health).map(({ id, state }) => {
        const { title, normal, todo } = checkTexts[language][id]
        return (
          <li key={id} className={styles.check}>
            <span className={styles.state}>
              <Status {...icons[state]}>{text[state]}</Status>
            </span>
            <div className={styles.words}>
              <h2 className={styles.checkTitle}>{title}</h2>
              {id === 'disks' ? (
                <Disks disks={health.disks} />
              ) : (
                <p className={styles.figures}>
                  {figuresOf(id, health, text, language)} <MailsLink id={id} />
                </p>
              )}
              <p className={styles.normal}>
                {text.normal}: {normal}
              </p>
              {state !== 'good' && (
                <p className={styles.todo}>
                  <b>{text.todo}:</b> {todo} <OrganizationsLink id={id} />
                </p>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The mails that a figure counts. */
function MailsLink({ id }: { id: HealthCheckId }) {
  const text = useWords(healthTexts)
  if (id !== 'mailQueue' && id !== 'refusedMails') return null
  return (
    <TextLink href={`/operator/mails${id === 'refusedMails' ? '?state=REFUSED' : ''}`}>{text.see}</TextLink>
  )
}

/** Where an operator finds whose payments they are. */
function OrganizationsLink({ id }: { id: HealthCheckId }) {
  const text = useWords(healthTexts)
  if (id !== 'payments') return null
  return <TextLink href="/operator/organizations">{text.organizations}</TextLink>
}

function Disks({ disks }: Pick<ServerHealth, 'disks'>) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  return (
    <div className={styles.disks}>
      {disks.map(disk => (
        <Progress
          key={disk.folder}
          label={text[disk.folder]}
          value={1 - freePart(disk)}
          about={text.free(sizeText(disk.freeBytes, language), sizeText(disk.totalBytes, language))}
        />
      ))}
    </div>
  )
}
