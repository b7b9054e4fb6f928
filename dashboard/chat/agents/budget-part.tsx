import { type Agent, type AgentBudget, readAgentBudget, setAgentBudget } from '#contract/chat/agents.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { costText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type HeadingLevel, Part } from '../part.tsx'
import { nextMonthStart, spentPart } from './agent.rules.ts'
import styles from './agents.module.css'
import { agentTexts, budgetTexts } from './agents.words.ts'

/** An execution within the cap emits no event. */
const pollMs = 60_000

/** The cap and the spending that the agents of an application share in this month, for those who may read it. */
export function BudgetPart({
  application,
  level,
  onChange,
}: {
  application: Agent['application']
  level: HeadingLevel
  onChange: () => void
}) {
  const text = useWords(budgetTexts)
  const { reading } = useWords(agentTexts)
  const language = useLanguage()
  const may = useMay()
  const { data, error } = useRead(
    readAgentBudget,
    { params: { applicationId: application.id } },
    { enabled: may(readAgentBudget), pollMs },
  )
  if (!may(readAgentBudget)) return null
  return (
    <Part
      title={text.title}
      level={level}
      actions={
        may(setAgentBudget) && (
          <Button size="small" onPress={onChange}>
            {text.change}
          </Button>
        )
      }
    >
      {data ? (
        <Spending budget={data} application={application} />
      ) : error ? (
        <Notice kind="danger">{textOfError(error, language)}</Notice>
      ) : (
        <Skeleton rows={2} label={reading} />
      )}
    </Part>
  )
}

function Spending({ budget, application }: { budget: AgentBudget; application: Agent['application'] }) {
  const text = useWords(budgetTexts)
  const language = useLanguage()
  const { capMicros, spentMicros, executions, month } = budget
  const spent = costText(spentMicros, language)
  return (
    <>
      {capMicros === null ? (
        <p>{text.usedWithoutCap(spent)}</p>
      ) : (
        <Progress
          label={text.used(spent, costText(capMicros, language))}
          value={spentPart(budget)}
          about={text.runs(executions)}
        />
      )}
      {capMicros === null && <p className={styles.quiet}>{text.runs(executions)}</p>}
      <p className={styles.quiet}>
        {text.shared(application.name)}{' '}
        {capMicros === null ? (
          text.noCap
        ) : (
          <>
            {text.atCap} <Time value={nextMonthStart(month)} form="moment" />.
          </>
        )}
      </p>
    </>
  )
}
