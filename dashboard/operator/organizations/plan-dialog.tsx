import { useState } from 'react'
import {
  getOperatedOrganization,
  listOrganizations,
  updateOperatedOrganization,
} from '#contract/identity/operator.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { partTexts } from '../../identity/index.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Status } from '../../parts/status.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { planNames } from '../../shell/shell.words.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { exceptionCount, type Organization } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'
import styles from './organizations.module.css'
import {
  choiceOf,
  differenceOf,
  exceptionOf,
  isSameChoice,
  type PlanChoice,
  type PlanPartId,
  partsOf,
  planParts,
  withException,
} from './plan.rules.ts'
import { planOptions } from './plan-options.ts'
import { PlanPreview } from './plan-preview.tsx'

/** Changes the plan of an organization and its exceptions, and shows before what it loses and gains. */
export function PlanDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const text = useWords(organizationDialogTexts)
  const language = useLanguage()
  const before = choiceOf(organization)
  const [choice, setChoice] = useState(before)
  const update = useAction(updateOperatedOrganization, {
    refreshes: [listOrganizations, getOperatedOrganization],
  })
  const { lost } = differenceOf(before, choice)
  return (
    <Dialog title={text.planTitle(organization.name)} isOpen onClose={onClose} size="wide">
      <ActionForm
        onSubmit={async () => {
          await update.mutateAsync({ params: { id: organization.id }, body: choice })
          showToast({ text: text.changed(organization.name, planNames[choice.plan]) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <Choice
              label={text.plan}
              options={planOptions(language)}
              value={choice.plan}
              onChange={plan => setChoice({ ...choice, plan })}
            />
            <details className={styles.exceptions} open={exceptionCount(organization) > 0}>
              <summary>
                {text.exceptions}
                {exceptionCount(choice) > 0 && ` (${exceptionCount(choice)})`}
              </summary>
              <p className={styles.quiet}>{text.exceptionsAbout}</p>
              <Exceptions choice={choice} onChange={setChoice} />
            </details>
            <PlanPreview organization={organization} after={choice} />
            <FormActions
              onLeave={onClose}
              action={lost.length > 0 ? text.applyLoss(lost.length) : text.apply}
              kind={lost.length > 0 ? 'danger' : 'primary'}
              isBusy={isBusy}
              isDisabled={isSameChoice(before, choice)}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type ExceptionsProps = { choice: PlanChoice; onChange: (choice: PlanChoice) => void }

function Exceptions({ choice, onChange }: ExceptionsProps) {
  const text = useWords(organizationDialogTexts)
  return (
    <table className={styles.choices}>
      <thead>
        <tr>
          <th scope="col">{text.part}</th>
          <th scope="col">{text.exception}</th>
          <th scope="col">{text.result}</th>
        </tr>
      </thead>
      <tbody>
        {planParts.map(id => (
          <ExceptionRow key={id} id={id} choice={choice} onChange={onChange} />
        ))}
      </tbody>
    </table>
  )
}

function ExceptionRow({ id, choice, onChange }: ExceptionsProps & { id: PlanPartId }) {
  const text = useWords(organizationDialogTexts)
  const [name] = partTexts[useLanguage()][id]
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles.exception}>
        <Choice
          label={text.exceptionOf(name)}
          isLabelHidden
          options={[
            { value: 'plan', label: text.asPlan },
            { value: 'added', label: text.add },
            { value: 'removed', label: text.remove },
          ]}
          value={exceptionOf(choice, id)}
          onChange={exception => onChange(withException(choice, id, exception))}
        />
      </td>
      <td className={styles.result}>
        {partsOf(choice).includes(id) ? (
          <Status icon="done" kind="done">
            {text.has}
          </Status>
        ) : (
          <Status icon="circle" kind="quiet">
            {text.hasNot}
          </Status>
        )}
      </td>
    </tr>
  )
}
