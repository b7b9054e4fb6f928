import type { Budget } from '#contract/crm/budgets.ts'
import { openSealedBudget, readBudgetSeal } from '#contract/crm/seals.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice, Problem } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { sealTexts } from './seal.words.ts'

/** The sealed document of a signed budget, or why it is not there yet (SEAL-6). */
export function BudgetSealSection({ budget }: { budget: Pick<Budget, 'id' | 'code'> }) {
  const text = useWords(sealTexts)
  const language = useLanguage()
  const input = { params: { id: budget.id } }
  const { data, error } = useRead(readBudgetSeal, input)
  const download = useDownload(openSealedBudget, `sellado-${budget.code}.pdf`)
  if (error) return <Problem title={textOfError(error, language)} />
  if (!data?.seal) return null
  const { status, sealedAt, subject, hasTimeStamp, problem } = data.seal
  return (
    <Section
      title={text.sealed}
      about={text.sealedAbout}
      actions={
        status === 'SEALED' && (
          <Button
            icon="download"
            isBusy={download.isPending}
            onPress={() =>
              download.mutate(input, {
                toastsFailure: true,
              })
            }
          >
            {text.downloadSealed}
          </Button>
        )
      }
    >
      {status === 'WAITING' && problem && <Notice kind="warn">{text[problem]}</Notice>}
      {status === 'WAITING' && !problem && (
        <Status icon="clock" kind="quiet">
          {text.sealing}
        </Status>
      )}
      {status === 'SEALED' && (
        <Facts
          facts={[
            { term: text.sealedAt, value: sealedAt && <Time value={sealedAt} form="moment" /> },
            { term: text.sealedBy, value: subject },
            { term: text.timeStamp, value: hasTimeStamp ? text.withTimeStamp : text.withoutTimeStamp },
          ]}
        />
      )}
    </Section>
  )
}
