import { useState } from 'react'
import { listScopeRequests, requestCriticalScopes } from '#contract/integrations/critical-scopes.ts'
import { type CriticalScope, criticalScopes } from '#contract/permissions.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { scopeTexts } from './scope.words.ts'
import styles from './scope-list.module.css'
import { ScopeCount } from './scope-list.tsx'
import { scopeRequestTexts } from './scope-requests.words.ts'

/** Requests critical scopes from the operator of the server, with what the application will use them for (SCP-8). */
export function RequestScopesDialog({
  application,
  possible,
  onClose,
}: {
  application: Application
  /** The scopes that it neither has nor waits for. */
  possible: readonly CriticalScope[]
  onClose: () => void
}) {
  const text = useWords(scopeRequestTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<ReadonlySet<CriticalScope>>(new Set())
  const [lacksScope, setLacksScope] = useState(false)
  const request = useAction(requestCriticalScopes, { refreshes: [listScopeRequests] })
  const { minLength = 20, maxLength = 1_000 } = dataOf(requestCriticalScopes).fields.purpose ?? {}
  async function send({ purpose = '' }: Readonly<Record<string, string>>): Promise<void> {
    if (chosen.size === 0) return setLacksScope(true)
    const { items } = await request.mutateAsync({
      params: { id: application.id },
      body: { scopes: criticalScopes.filter(scope => chosen.has(scope)), purpose: purpose.trim() },
    })
    showToast({ text: text.sent(items.length) })
    onClose()
  }
  return (
    <Dialog title={text.askTitle(application.name)} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {lacksScope && chosen.size === 0 && <Notice kind="danger">{text.whichMissing}</Notice>}
            <fieldset className={styles.fieldset}>
              <legend className={styles.legend}>{text.which}</legend>
              {possible.map(scope => (
                <Checkbox
                  key={scope}
                  isSelected={chosen.has(scope)}
                  onChange={isOn => {
                    const next = new Set(chosen)
                    if (isOn) next.add(scope)
                    else next.delete(scope)
                    setChosen(next)
                  }}
                  hint={
                    <>
                      <code className={styles.path}>{scope}</code> · <ScopeCount scope={scope} />
                    </>
                  }
                >
                  {scopeTexts[language][scope]}
                </Checkbox>
              ))}
            </fieldset>
            <Reason
              {...fieldOf(requestCriticalScopes, 'purpose')}
              label={text.purpose}
              hint={text.purposeHint(minLength)}
              maxLength={maxLength}
            />
            <FormActions onLeave={onClose} action={text.send} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
