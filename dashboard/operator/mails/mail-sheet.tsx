import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Empty, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { kindText, type Mail, MailState } from './mail.tsx'
import styles from './mails.module.css'
import { mailTexts } from './mails.words.ts'

/** A mail beside the list: why it waits, and what to do about it. */
export function MailSheet({
  mail,
  isReading,
  ...sheet
}: {
  /** The mail; undefined while the list is read, or when it was sent meanwhile. */
  mail: Mail | undefined
  isReading: boolean
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(mailTexts)
  const language = useLanguage()
  if (!mail)
    return (
      <Sheet {...sheet} title={text.mail}>
        <SheetSection>
          {isReading ? <Skeleton rows={4} label={text.reading} /> : <Empty title={text.missing} />}
        </SheetSection>
      </Sheet>
    )
  return (
    <Sheet {...sheet} title={kindText(mail.kind, language)}>
      <SheetSection>
        <MailFacts mail={mail} />
      </SheetSection>
      {mail.error && (
        <SheetSection>
          <h3 className={styles.subtitle}>{text.error}</h3>
          <p className={styles.error}>{mail.error}</p>
        </SheetSection>
      )}
      <SheetSection>
        <h3 className={styles.subtitle}>{text.todo}</h3>
        <p className={styles.todo}>{text[`${mail.state}_TODO`]}</p>
      </SheetSection>
      <SheetSection>
        <p className={`${styles.quiet} ${styles.todo}`}>{text.about}</p>
      </SheetSection>
    </Sheet>
  )
}

function MailFacts({ mail }: { mail: Mail }) {
  const text = useWords(mailTexts)
  const { id, organizationId, state, recipient, attempts, queuedAt, nextAt, refusedAt } = mail
  return (
    <Facts
      facts={[
        { term: text.state, value: <MailState state={state} /> },
        { term: text.recipient, value: recipient ?? (attempts === 0 ? text.notTried : '–') },
        {
          term: text.organization,
          value: (
            <TextLink href={`/operator/organizations/${organizationId}`}>{text.openOrganization}</TextLink>
          ),
        },
        { term: text.attempts, value: String(attempts) },
        { term: text.queuedAt, value: <Time value={queuedAt} form="moment" isFocusable /> },
        { term: text.nextAt, value: nextAt && <Time value={nextAt} form="moment" isFocusable /> },
        { term: text.refusedAt, value: refusedAt && <Time value={refusedAt} form="moment" isFocusable /> },
        { term: text.id, value: <Id value={id} isShortened /> },
      ]}
    />
  )
}
