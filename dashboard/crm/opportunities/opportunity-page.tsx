import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { readOpportunity } from '#contract/crm/opportunities.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { opportunityTexts } from './opportunities.words.ts'
import { OpportunityDetail } from './opportunity-detail.tsx'
import { OpportunityDialog } from './opportunity-dialog.tsx'
import { useOpportunityActions } from './use-opportunity-actions.ts'

/** An opportunity as a page. */
export function OpportunityPage() {
  const text = useWords(opportunityTexts)
  const language = useLanguage()
  const { opportunityId } = useParams({ from: '/o/$organization/opportunities/$opportunityId' })
  const { data, error } = useRead(readOpportunity, { params: { id: opportunityId } })
  const [isEditing, setEditing] = useState(false)
  const actionsOf = useOpportunityActions(() => setEditing(true))
  const entries = data ? actionsOf(data) : []
  return (
    <Page
      title={data?.title ?? text.opportunity}
      actions={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      {data ? (
        <div>
          <OpportunityDetail opportunity={data} isPage />
        </div>
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
      {isEditing && data && <OpportunityDialog opportunity={data} onClose={() => setEditing(false)} />}
    </Page>
  )
}
