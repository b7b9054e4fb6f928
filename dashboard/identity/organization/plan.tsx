import type { getOrganization } from '#contract/identity/organization.ts'
import type { Reply } from '#contract/route.ts'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { planNames } from '../../shell/shell.words.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './organization.module.css'
import { organizationTexts, partTexts } from './organization.words.ts'
import { type PlanPart, partsOfPlan } from './plan.rules.ts'

/** The plan: each module and capability, what it opens, and from which plan it is there. */
export function PlanSection({ organization }: { organization: Reply<typeof getOrganization> }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  return (
    <Section title={text.planTitle(planNames[organization.plan])} about={text.planAbout}>
      <table className={styles.plan}>
        <thead>
          <tr>
            <th scope="col">{text.part}</th>
            <th scope="col">{text.opens}</th>
            <th scope="col">{text.state}</th>
          </tr>
        </thead>
        <tbody>
          {partsOfPlan(organization).map(part => {
            const [name, opens] = partTexts[language][part.id]
            return (
              <tr key={part.id} className={styles[part.state]}>
                <th scope="row" className={styles[part.kind]}>
                  {name}
                </th>
                <td className={styles.opens}>{opens}</td>
                <td>
                  <PartState part={part} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

function PartState({ part: { state, from } }: { part: PlanPart }) {
  const text = useWords(organizationTexts)
  if (state === 'lacking')
    return (
      <Status icon="lock" kind="quiet">
        {text.from(planNames[from])}
      </Status>
    )
  if (state === 'removed')
    return (
      <Status icon="blocked" kind="warn">
        {text.removed}
      </Status>
    )
  return (
    <Status icon="done" kind="done">
      {text[state]}
    </Status>
  )
}
