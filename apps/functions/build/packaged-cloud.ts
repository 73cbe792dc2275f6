import { OperatorError } from '../src/runtime/operator-error.ts';

// In the package this module stands for those that `goty --project` loads.

throw new OperatorError('The package has no Firebase: use --project in the project itself.');
