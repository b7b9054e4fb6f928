import { applicationEvents } from '#contract/integrations/event-list.ts'
import { scopeOperations } from '#contract/operation-lists.ts'
import { type Scope, scopePermissions } from '#contract/permissions.ts'
import { Facts } from '../../parts/facts.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { eventTexts } from '../webhook/event.words.ts'
import { scopeTexts } from './scope.words.ts'
import { isCritical } from './scope-groups.ts'
import styles from './scope-list.module.css'
import { scopesTexts } from './scopes.words.ts'

/** The operations that a scope opens and the events that it lets through. */
export function ScopeSheet({
  scope,
  application,
  onClose,
}: {
  scope: Scope
  application: Application
  onClose: () => void
}) {
  const text = useWords(scopesTexts)
  const language = useLanguage()
  const operations = scopeOperations[scope] ?? []
  const events = applicationEvents.filter(event => event.scope === scope)
  const grant = application.criticalScopes.find(one => one.scope === scope)
  return (
    <Sheet title={scopeTexts[language][scope]} about={<code>{scope}</code>} onClose={onClose}>
      <SheetSection>
        <Facts
          facts={[
            { term: text.standsFor, value: <code>{scopePermissions[scope].join(', ')}</code> },
            { term: text.who, value: isCritical(scope) ? text.whoCritical : text.whoUsual },
            grant && {
              term: text.has,
              value: (
                <>
                  <Time value={grant.grantedAt} form="moment" />. {grant.reason}
                </>
              ),
            },
            !application.scopes.includes(scope) && { term: text.has, value: text.hasNot },
          ]}
        />
      </SheetSection>
      <SheetSection>
        <h3 className={styles.group}>{text.operations}</h3>
        {operations.length === 0 && <p className={styles.quiet}>{text.noOperations}</p>}
        {/* the contract describes its operations in English */}
        <ul lang="en">
          {operations.map(({ name, summary }) => (
            <li key={name} className={styles.operation}>
              {summary}
              <code className={styles.path}>{name}</code>
            </li>
          ))}
        </ul>
      </SheetSection>
      {events.length > 0 && (
        <SheetSection>
          <h3 className={styles.group}>{text.eventsTitle}</h3>
          <ul>
            {events.map(({ event }) => (
              <li key={event} className={styles.operation}>
                {eventTexts[language][event]}
                <code className={styles.path}>{event}</code>
              </li>
            ))}
          </ul>
        </SheetSection>
      )}
    </Sheet>
  )
}
