import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type ListedAgent, openAgentStatuses } from '#contract/chat/agents.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useChannelHref } from '../use-channel-href.ts'
import type { AgentSearch } from './agent.rules.ts'
import { agentColumns } from './agent-columns.tsx'
import { AgentDialogs } from './agent-dialogs.tsx'
import { agentTexts } from './agents.words.ts'
import { type AgentDialog, useAgentActions } from './use-agent-actions.ts'
import { useAgents } from './use-agents.ts'

const AgentSheet = late(() => import('./agent-sheet.tsx').then(sheet => sheet.AgentSheet))

type Change = { [Key in keyof AgentSearch]?: AgentSearch[Key] | undefined }

/** The agents of all channels that the person may see, those that wait for approval first (AGT-12). */
export function Agents() {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/agents' })
  const { agentHref } = useChannelHref()
  const [dialog, setDialog] = useState<AgentDialog>()
  const list = useAgents(search.status)
  const actionsOf = useAgentActions(setDialog)
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const isNarrow = search.open !== undefined
  const columns = useMemo(() => agentColumns(text, language, isNarrow), [text, language, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const menuOf = (agent: ListedAgent) =>
    actionsOf({ agent, channelName: agent.channel.name ?? '', mayDecide: agent.mayDecide })
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <FilterBar
          fields={[
            {
              id: 'status',
              label: text.statusFilter,
              values: openAgentStatuses.map(value => ({ value, label: text[value] })),
            },
          ]}
          filters={search.status ? { status: search.status } : {}}
          onChange={({ status }) => change({ status: openAgentStatuses.find(one => one === status) })}
        />
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <AgentSheet
              key={search.open}
              id={search.open}
              listed={list.items[index]}
              actionsOf={actionsOf}
              open={setDialog}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(list.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowHref={({ id }) => agentHref(id)}
          rowMenu={menuOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          empty={
            <EmptyList
              isFiltered={search.status !== undefined}
              nothingFits={text.nothing}
              onClear={() => change({ status: undefined })}
              title={text.empty}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
      <AgentDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </Page>
  )
}
