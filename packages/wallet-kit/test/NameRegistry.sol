// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A registry and a resolver of names with the functions of SPACE ID's own (ERC-137, ERC-181, ERC-634), which anybody may write.
contract NameRegistry {
    mapping(bytes32 => address) public resolver;

    function setResolver(bytes32 node, address to) external {
        resolver[node] = to;
    }
}

contract NameResolver {
    mapping(bytes32 => string) public name;
    mapping(bytes32 => address) public addr;
    mapping(bytes32 => mapping(string => string)) public text;

    function setName(bytes32 node, string calldata to) external {
        name[node] = to;
    }

    function setAddr(bytes32 node, address to) external {
        addr[node] = to;
    }

    function setText(bytes32 node, string calldata key, string calldata to) external {
        text[node][key] = to;
    }
}

/// Says of everything that it is to be asked of a server (ERC-3668).
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

    string private url;

    function setUrl(string calldata to) external {
        url = to;
    }

    fallback() external {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, msg.data, this.answer.selector, "");
    }

    function answer(bytes calldata response, bytes calldata) external pure returns (bytes memory) {
        return response;
    }
}

/// ENS's Universal Resolver, as far as viem calls it: the names and texts of accounts, which anybody may write.
contract UniversalResolver {
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

    mapping(address => string) public name;
    mapping(address => address) public owner;
    string private avatar;
    string private url;

    function setName(address account, string calldata to, address leadsTo) external {
        name[account] = to;
        owner[account] = leadsTo;
    }

    function setAvatar(string calldata to) external {
        avatar = to;
    }

    function setUrl(string calldata to) external {
        url = to;
    }

    function reverseWithGateways(bytes calldata account, uint256, string[] calldata)
        external
        view
        returns (string memory, address, address)
    {
        address asked = address(bytes20(account));
        if (bytes(url).length > 0) ask(account);
        if (bytes(name[asked]).length > 0 && owner[asked] != asked)
            revert ReverseAddressMismatch(name[asked], abi.encodePacked(owner[asked]));
        return (name[asked], address(this), address(this));
    }

    function ask(bytes calldata account) private view {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, account, this.answer.selector, account);
    }

    /// Asks again after each answer that is not empty.
    function answer(bytes calldata response, bytes calldata account)
        external
        view
        returns (string memory, address, address)
    {
        if (response.length > 0) ask(account);
        return (name[address(bytes20(account))], address(this), address(this));
    }

    function resolveWithGateways(bytes calldata, bytes calldata, string[] calldata)
        external
        view
        returns (bytes memory, address)
    {
        return (abi.encode(avatar), address(this));
    }
}
