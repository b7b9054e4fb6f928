import { Link } from '@tanstack/react-router'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import { scopeOperations } from '#contract/operation-lists.ts'
import type { Scope } from '#contract/permissions.ts'
import { Tag } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { scopeTexts } from './scope.words.ts'
import { groupsOf, isCritical } from './scope-groups.ts'
import styles from './scope-list.module.css'
import { scopesTexts } from './scopes.words.ts'

/** The scopes of an application by area; each leads to the operations and events that it opens. */
export function ScopeList({ application }: { application: Application }) {
  const text = useWords(scopesTexts)
  const language = useLanguage()
  if (application.scopes.length === 0) return <p className={styles.quiet}>{text.none}</p>
  return (
    <div className={styles.groups}>
      {groupsOf(application.scopes).map(({ id, scopes }) => (
        <section key={id} aria-label={text[id]}>
          <h3 className={styles.group}>{text[id]}</h3>
          <ul>
            {scopes.map(scope => (
              <li key={scope} className={styles.scope}>
                <span>
                  <Link to="." search={{ scope }} resetScroll={false} className={styles.name}>
                    {scopeTexts[language][scope]}
                  </Link>{' '}
                  {isCritical(scope) && <Tag kind="warn">{text.critical}</Tag>}
                </span>
                <span className={styles.opens}>
                  <code>{scope}</code> · <ScopeCount scope={scope} />
                </span>
                <GrantReason application={application} scope={scope} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** How many operations a scope opens, and how many events it lets through. */
export function ScopeCount({ scope }: { scope: Scope }) {
  const text = useWords(scopesTexts)
  const operations = scopeOperations[scope]?.length ?? 0
  const events = applicationEvents.filter(event => event.scope === scope).length
  return [
    ...(operations > 0 ? [text.opens(operations)] : []),
    ...(events > 0 ? [text.events(events)] : []),
  ].join(', ')
}

/** Why the operator granted a critical scope. */
function GrantReason({ application, scope }: { application: Application; scope: Scope }) {
  const text = useWords(scopesTexts)
  const grant = application.criticalScopes.find(one => one.scope === scope)
  return grant && <span className={styles.opens}>{text.grantedBecause(grant.reason)}</span>
}
