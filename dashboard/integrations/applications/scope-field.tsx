import type { Scope } from '#contract/permissions.ts'
import { useOrganization } from '../../data/organization.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Tag } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { missingPermissions } from '../grant-rights.rules.ts'
import { scopeTexts } from './scope.words.ts'
import { isCritical, scopeGroups } from './scope-groups.ts'
import styles from './scope-list.module.css'
import { ScopeCount } from './scope-list.tsx'
import { scopesTexts } from './scopes.words.ts'

/** Checkboxes for the scopes of an application by area, each with what it opens. */
export function ScopeField({
  chosen,
  held,
  onChange,
}: {
  chosen: ReadonlySet<Scope>
  /** The scopes that the application has: a critical one among them can stay. */
  held: readonly Scope[]
  onChange: (chosen: ReadonlySet<Scope>) => void
}) {
  const text = useWords(scopesTexts)
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(scope)
    else next.delete(scope)
    onChange(next)
  }
  return (
    <div className={styles.columns}>
      {scopeGroups.map(({ id, scopes }) => (
        <fieldset key={id} className={styles.fieldset}>
          <legend className={styles.legend}>{text[id]}</legend>
          {scopes.map(scope => (
            <ScopeCheckbox
              key={scope}
              scope={scope}
              isHeld={held.includes(scope)}
              isChosen={chosen.has(scope)}
              onChange={isOn => toggle(scope, isOn)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function ScopeCheckbox({
  scope,
  isHeld,
  isChosen,
  onChange,
}: {
  scope: Scope
  isHeld: boolean
  isChosen: boolean
  onChange: (isOn: boolean) => void
}) {
  const text = useWords(scopesTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const missing = caller.isAdministrator || isHeld ? [] : missingPermissions(caller, [scope])
  const critical = isCritical(scope)
  const reason = critical
    ? text[isHeld ? 'keepCritical' : 'askOperator']
    : missing.length > 0
      ? text.cannotGive(missing.join(', '))
      : undefined
  return (
    <Checkbox
      isSelected={isChosen}
      isDisabled={(critical && !isHeld) || missing.length > 0}
      onChange={onChange}
      hint={
        <>
          <code className={styles.path}>{scope}</code> · <ScopeCount scope={scope} />
          {reason && <span>. {reason}</span>}
        </>
      }
    >
      {scopeTexts[language][scope]} {critical && <Tag kind="warn">{text.critical}</Tag>}
    </Checkbox>
  )
}
