import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Person } from '../../parts/person.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Empty, Skeleton } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { scopeTexts } from '../scope.words.ts'
import { type Decision, RequestStatus, type ScopeRequest } from './scope-request.tsx'
import styles from './scopes.module.css'
import { scopeRequestTexts } from './scopes.words.ts'

/** A request for a critical scope beside the list: its purpose first, then who requests it for what. */
export function ScopeRequestSheet({
  request,
  isReading,
  onAnswer,
  ...sheet
}: {
  /** The request; undefined while the list is read, or when it is no longer there. */
  request: ScopeRequest | undefined
  isReading: boolean
  onAnswer: (request: ScopeRequest, decision: Decision) => void
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(scopeRequestTexts)
  const names = useWords(scopeTexts)
  if (!request)
    return (
      <Sheet {...sheet} title={text.request}>
        <SheetSection>
          {isReading ? <Skeleton rows={4} label={text.reading} /> : <Empty title={text.missing} />}
        </SheetSection>
      </Sheet>
    )
  return (
    <Sheet
      {...sheet}
      title={names[request.scope]}
      about={<code className={styles.code}>{request.scope}</code>}
      {...(request.status === 'OPEN' && {
        actions: (
          <>
            <Button onPress={() => onAnswer(request, 'REFUSE')}>{text.refuse}</Button>
            <Button kind="primary" onPress={() => onAnswer(request, 'GRANT')}>
              {text.grant}
            </Button>
          </>
        ),
      })}
    >
      <SheetSection>
        <h3 className={styles.subtitle}>{text.purpose}</h3>
        <p className={styles.purpose}>{request.purpose}</p>
      </SheetSection>
      <SheetSection>
        <RequestFacts request={request} />
      </SheetSection>
    </Sheet>
  )
}

function RequestFacts({ request }: { request: ScopeRequest }) {
  const text = useWords(scopeRequestTexts)
  const { status, applicationName, applicationStatus, organizationId, organizationName } = request
  const { requestedBy, requestedAt, closedAt, answer } = request
  return (
    <Facts
      facts={[
        { term: text.status, value: <RequestStatus status={status} /> },
        {
          term: text.application,
          value: (
            <span className={styles.pair}>
              <Person kind="application" name={applicationName} />
              {applicationStatus === 'DISABLED' && <Tag icon="blocked">{text.off}</Tag>}
            </span>
          ),
        },
        {
          term: text.organization,
          value: <TextLink href={`/operator/organizations/${organizationId}`}>{organizationName}</TextLink>,
        },
        { term: text.by, value: <Person name={requestedBy.name} /> },
        { term: text.at, value: <Time value={requestedAt} form="moment" isFocusable /> },
        { term: text.closed, value: closedAt && <Time value={closedAt} form="moment" isFocusable /> },
        { term: text.answer, value: answer },
      ]}
    />
  )
}
