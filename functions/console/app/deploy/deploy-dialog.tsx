import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useResource } from '../ui/use-resource.ts';
import type { ContentProps } from './content.tsx';

interface DeployDialogProps {
  readonly strategy: { readonly strategy_id: number; readonly strategy_name: string };
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Loads the form when the dialog opens: it is larger than the screens with the button. */
const loadContent = async () => (await import('./content.tsx')).DeployContent;

const Content = (props: ContentProps) => (
  <Loaded of={useResource(loadContent, [])}>{(DeployContent) => <DeployContent {...props} />}</Loaded>
);

/** Dialog that deploys a strategy of the user on paper, as notifications, as a scanner or with real money. */
export const DeployDialog = ({ strategy, open, onClose }: DeployDialogProps) => (
  <Dialog title={`Deploy “${strategy.strategy_name}”`} open={open} onClose={onClose}>
    <Content strategy_id={strategy.strategy_id} onClose={onClose} />
  </Dialog>
);
