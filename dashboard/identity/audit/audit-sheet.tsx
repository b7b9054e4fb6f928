import { useRouter } from '@tanstack/react-router'
import { listAudit } from '#contract/identity/audit-log.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { Actor } from './actor.tsx'
import styles from './audit.module.css'
import {
  changesOf,
  clientText,
  fieldText,
  operationText,
  screenOfOperation,
  valueText,
} from './audit.rules.ts'
import { accessTexts, auditTexts } from './audit.words.ts'
import type { AuditSearch, Entry } from './entry.ts'

export type AuditSheetProps = {
  seq: number
  /** The entry, if the list has it; else it is read. */
  entry: Entry | undefined
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** One entry of the log: who, from where, about what, and each field before and after. */
export function AuditSheet({ seq, entry: listed, ...sheet }: AuditSheetProps) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  const page = useRead(listAudit, { query: { before: seq + 1, limit: 1 } }, { enabled: listed === undefined })
  const entry = listed ?? page.data?.items.find(item => item.seq === seq)
  if (!entry)
    return (
      <Sheet {...sheet} title={text.entry(String(seq))}>
        <SheetSection>
          {page.isPending && <Skeleton rows={4} label={text.reading} />}
          {page.error && <Problem title={textOfError(page.error, language)} />}
          {page.data && <p>{text.missing}</p>}
        </SheetSection>
      </Sheet>
    )
  return (
    <Sheet
      {...sheet}
      title={operationText(entry.operation, language) ?? entry.operation}
      about={
        <>
          {text.entry(String(seq))} · <Time value={entry.at} form="moment" isFocusable />
        </>
      }
    >
      <SheetSection>
        <EntryFacts entry={entry} />
      </SheetSection>
      <SheetSection>
        <Changes entry={entry} />
      </SheetSection>
    </Sheet>
  )
}

function EntryFacts({ entry }: { entry: Entry }) {
  const text = useWords(auditTexts)
  const access: Readonly<Record<string, string>> = useWords(accessTexts)
  const { auth, actorId, subject, subjectName, ip, client, requestId, operation, hash } = entry
  const href = useSubjectHref(entry)
  const { buildLocation } = useRouter()
  const filteredHref = (filter: AuditSearch) =>
    buildLocation({ to: '.', search: former => ({ ...former, ...filter }) }).href
  return (
    <Facts
      facts={[
        {
          term: text.who,
          value: (
            <span className={styles.pair}>
              <Actor entry={entry} />
              {actorId && <TextLink href={filteredHref({ actorId })}>{text.allBy}</TextLink>}
            </span>
          ),
        },
        { term: text.access, value: access[auth] ?? auth },
        { term: text.operation, value: <code className={styles.code}>{operation}</code> },
        {
          term: text.subject,
          value: subject && (
            <span className={styles.pair}>
              {subjectName}
              <Id value={subject} isShortened />
              {href && <TextLink href={href}>{text.seeSubject}</TextLink>}
              <TextLink href={filteredHref({ subject })}>{text.allAbout}</TextLink>
            </span>
          ),
        },
        { term: text.ip, value: ip && <code className={styles.code}>{ip}</code> },
        { term: text.client, value: clientText(client, text.commandLine) },
        { term: text.request, value: requestId && <Id value={requestId} isShortened /> },
        { term: text.hash, value: <Id value={hash} isShortened /> },
      ]}
    />
  )
}

function Changes({ entry }: { entry: Entry }) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  const { changes, others } = changesOf(entry)
  const withValues = changes.filter(({ hasValues }) => hasValues)
  const withoutValues = changes.filter(({ hasValues }) => !hasValues)
  return (
    <>
      <h3 className={styles.subtitle}>{text.changes}</h3>
      {changes.length === 0 && <p className={styles.quiet}>{text.noChanges}</p>}
      {withValues.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{text.field}</th>
              <th scope="col">{text.before}</th>
              <th scope="col">{text.after}</th>
            </tr>
          </thead>
          <tbody>
            {withValues.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">
                  <FieldName field={field} />
                </th>
                <td className={styles.before}>{valueText(before, text)}</td>
                <td>{valueText(after, text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {withoutValues.length > 0 && (
        <>
          <ul className={styles.fields}>
            {withoutValues.map(({ field }) => (
              <li key={field}>
                <FieldName field={field} />
              </li>
            ))}
          </ul>
          <p className={styles.quiet}>{text.withoutValues}</p>
        </>
      )}
      {others.length > 0 && (
        <>
          <h3 className={styles.subtitle}>{text.more}</h3>
          <Facts
            facts={others.map(([name, value]) => ({
              term: fieldText(name, language),
              value: valueText(value, text),
            }))}
          />
        </>
      )}
    </>
  )
}

/** A field in words, with its name in the log. */
function FieldName({ field }: { field: string }) {
  const words = fieldText(field, useLanguage())
  return (
    <>
      {words} {words !== field && <code className={styles.raw}>{field}</code>}
    </>
  )
}

/** The URL of the screen that shows the subject of an entry; undefined if there is none. */
function useSubjectHref({ operation, subject }: Entry): string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  const target = screenOfOperation(operation)
  if (!target || subject === null) return undefined
  const list = `/o/$organization/${target.screen}`
  const start = `/o/${encodeURIComponent(address)}/${target.screen}`
  const isPage = Object.keys(routesByPath).some(
    path => path.startsWith(`${list}/$`) && !path.slice(list.length + 1).includes('/'),
  )
  if (isPage) return `${start}/${encodeURIComponent(subject)}`
  if (!(list in routesByPath)) return undefined
  const query = [target.query, `open=${encodeURIComponent(subject)}`].filter(Boolean).join('&')
  return target.screen === 'settings/organization' ? start : `${start}?${query}`
}
