import { styled } from '@mui/material/styles'

// A forest from left to right: a root, its branches, and the path from one member back to the root.
const nodes = [
  [20, 210],
  [130, 90],
  [130, 210],
  [130, 330],
  [240, 50],
  [240, 130],
  [240, 250],
  [240, 330],
  [350, 20],
  [350, 80],
  [350, 160],
  [350, 220],
  [350, 280],
  [350, 380],
] as const
const edges = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 4],
  [1, 5],
  [2, 6],
  [3, 7],
  [4, 8],
  [4, 9],
  [5, 10],
  [6, 11],
  [6, 12],
  [7, 13],
] as const
const way = [0, 2, 6, 12]
const isOnWay = (index: number) => way.includes(index)

const curve = (from: number, to: number) => {
  const [x1, y1] = nodes[from] ?? [0, 0]
  const [x2, y2] = nodes[to] ?? [0, 0]
  return `M${x1} ${y1}C${x1 + 60} ${y1} ${x2 - 60} ${y2} ${x2} ${y2}`
}

/** Draws the start page's illustration. */
export default function StartFigure() {
  return (
    <Root aria-hidden viewBox="0 0 376 400" fill="none">
      {edges.map(([from, to]) => (
        <path key={`${from}-${to}`} d={curve(from, to)} className={isOnWay(from) && isOnWay(to) ? 'way' : ''} />
      ))}
      {nodes.map(([x, y], index) => (
        <circle
          key={`${x}-${y}`}
          cx={x}
          cy={y}
          r={index === 12 ? 7 : 4}
          className={index === 12 ? 'me' : isOnWay(index) ? 'on' : ''}
        />
      ))}
    </Root>
  )
}

const Root = styled('svg')(({ theme }) => ({
  position: 'absolute',
  zIndex: -1,
  right: 0,
  top: 40,
  width: 340,
  '& path': { stroke: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 22%, transparent)`, strokeWidth: 1 },
  '& path.way': { stroke: theme.vars?.palette.primary.main, strokeWidth: 1.5 },
  '& circle': {
    fill: theme.vars?.palette.background.default,
    stroke: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 40%, transparent)`,
  },
  '& circle.on': { fill: theme.vars?.palette.primary.main, stroke: 'none' },
  '& circle.me': {
    fill: theme.vars?.palette.primary.main,
    stroke: theme.vars?.palette.background.default,
    strokeWidth: 2,
  },
  '@media (max-width: 1179.95px)': { display: 'none' },
}))
